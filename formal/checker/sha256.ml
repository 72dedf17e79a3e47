(* SHA-256 of a text, in hexadecimal (FIPS 180-4). Words are the lower 32 bits of machine integers. *)
let low x = x land 0xffffffff

let primes =
  let rec from n found count =
    if count = 64 then List.rev found
    else if List.exists (fun p -> n mod p = 0) found then from (n + 1) found count
    else from (n + 1) (n :: found) (count + 1) in
  from 2 [] 0

(* The first 32 bits of the fraction of the root of each prime: of p 2^(32 e), e = 2 or 3, in whole numbers. *)
let of_root e p = Z.to_int (Z.logand (Z.root (Z.shift_left (Z.of_int p) (32 * e)) e) (Z.of_int 0xffffffff))
let constants = Array.of_list (List.map (of_root 3) primes)
let start = List.filteri (fun i _ -> i < 8) (List.map (of_root 2) primes)

let hex_of text =
  let length = String.length text in
  let blocks = (length + 9 + 63) / 64 in
  let byte at =
    if at < length then Char.code text.[at]
    else if at = length then 0x80
    else if at < (64 * blocks) - 8 then 0
    else ((8 * length) lsr (8 * ((64 * blocks) - 1 - at))) land 0xff in
  let right x by = low ((x lsr by) lor (x lsl (32 - by))) in
  let state = Array.of_list start in
  let w = Array.make 64 0 in
  for block = 0 to blocks - 1 do
    for t = 0 to 15 do
      let at = (64 * block) + (4 * t) in
      w.(t) <- (byte at lsl 24) lor (byte (at + 1) lsl 16) lor (byte (at + 2) lsl 8) lor byte (at + 3)
    done;
    for t = 16 to 63 do
      let a = w.(t - 15) and b = w.(t - 2) in
      let s0 = right a 7 lxor right a 18 lxor (a lsr 3) in
      let s1 = right b 17 lxor right b 19 lxor (b lsr 10) in
      w.(t) <- low (w.(t - 16) + s0 + w.(t - 7) + s1)
    done;
    let v = Array.copy state in
    for t = 0 to 63 do
      let a = v.(0) and e = v.(4) in
      let choice = (e land v.(5)) lxor (lnot e land v.(6)) in
      let majority = (a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)) in
      let one = low (v.(7) + (right e 6 lxor right e 11 lxor right e 25) + low choice + constants.(t) + w.(t)) in
      let two = (right a 2 lxor right a 13 lxor right a 22) + majority in
      Array.blit v 0 v 1 7;
      v.(4) <- low (v.(4) + one);
      v.(0) <- low (one + two)
    done;
    Array.iteri (fun i x -> state.(i) <- low (state.(i) + x)) v
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") state))
