#!/usr/bin/env bash
# See that Rocq (Coq 8.16), MathComp, OCaml, Zarith and Sha are there; install them with apt where that is allowed.
# With --check nothing is installed. The exit status is 1 if something is missing.
set -euo pipefail
packages="coq libcoq-mathcomp-algebra libcoq-mathcomp-algebra-tactics ocaml-nox ocaml-findlib libzarith-ocaml-dev libsha-ocaml-dev"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

complete() {
    command -v coqc > /dev/null && command -v make > /dev/null && command -v ocamlfind > /dev/null &&
        ocamlfind query zarith sha > /dev/null 2>&1 &&
        echo 'From mathcomp Require Import all_algebra ring.' > "$folder/probe.v" &&
        coqc -q -w none "$folder/probe.v" > /dev/null 2>&1
}

install() {
    # shellcheck disable=SC2086
    apt-get install -y -qq $packages > /dev/null
}

complete && exit 0
if [ "${1:-}" != --check ] && [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    install || { apt-get update -qq && install; }
    complete && exit 0
fi
echo "Missing: Rocq (Coq), MathComp with its algebra and ring tactics, make, OCaml, findlib, Zarith or Sha. On Debian:" >&2
echo "    sudo apt-get install $packages" >&2
exit 1
