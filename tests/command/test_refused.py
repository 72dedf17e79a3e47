"""What cannot be done is said in one line of plain words and leaves nothing behind, with exit code 2."""

import os
import re
import shlex

import numpy as np
import pytest
from commands import run

from relaxspca.command.parser import parser

OBSERVATIONS = np.random.default_rng(0).normal(size=(30, 6)).tolist()
GROUPS = {
    "one.csv": "topdiam\n", "three.csv": "topdiam,a,b\n", "half.csv": "topdiam,\n", "no.csv": "\n",
    "typo.csv": "variabel,group\ntopdiam,a\n", "open.json": "{", "text.json": '{"a": "length"}',
    "list.json": "[]", "comment.csv": "length,a\n#topdiam,a\nmoist,b\n",
}  # fmt: skip
TEXTS = {
    "empty.csv": "", "asymmetric.csv": "1,0.5\n0.4,1\n", "wide.csv": "1,2,3\n4,5,6\n",
    "words.csv": "a,b\n1,x\n2,y\n3,z\n", "constant.csv": "a,b\n1,1\n1,1\n1,1\n", "huge.csv": "1e300,0\n0,1\n",
    "typo.txt": "topdiam,0.4x\nlength,0.6\n", "loadings.json": "[1, 2]", "no_loadings.json": '{"k": 3}',
    "broken.json": "{", "numbers.json": '{"n": 3}', "eye.csv": "1,0,0\n0,1,0\n0,0,1\n",
    "ones.csv": "1,1,1\n" * 3,
    "table.csv": "variable,a,b\ntopdiam,1,0\nlength,0,1\n",
    "almost.csv": "2,0.5\n0.5000001,1\n", "lacking.csv": "2,0.5\nnan,1\n",
    "alike.csv": "a,b,y\n1,2,0\n3,6,1\n4,8,1.5\n9,18,4\n",
    "observed.csv": "\n".join(["a,b,c,d,e,price", *(",".join(map(repr, row)) for row in OBSERVATIONS)]),
}  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Write every bad input that the commands below name."""
    folder = tmp_path_factory.mktemp("bad")
    for name, text in (TEXTS | {f"groups_{name}": text for name, text in GROUPS.items()}).items():
        (folder / name).write_text(text)
    noise = bytes(range(256)) * 4
    for name in ("noise.csv", "noise.npy", "noise.npz", "noise.parquet", "noise.txt", "noise.json"):
        (folder / name).write_bytes(noise)
    for name in ("cut.npz", "cut.npy"):
        (folder / name).write_bytes(b"PK\x03\x04 and no more")
    np.save(folder / "cube.npy", np.zeros((2, 2, 2)))
    np.save(folder / "pickle.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    np.save(folder / "words.npy", np.array([["a", "b"], ["c", "d"]]))
    (folder / "folder").mkdir()
    (folder / "folder.csv").mkdir()
    return folder


SOLVE, COMPONENTS, SUBSET = "solve pitprops -k 3", "components pitprops", "subset observed.csv --response price"
BAD = [
    *(
        f"solve {name} -k 1"
        for name in (
            "empty.csv", "words.csv", "huge.csv", "noise.csv", "noise.npy", "noise.npz", "noise.parquet",
            "cube.npy", "pickle.npy", "words.npy", "folder", "folder.csv", "asymmetric.csv --covariance",
            "constant.csv --data --correlation", "nothing.csv",
        )
    ),
    *(f"solve pitprops -k {k}" for k in ("0", "14", "-1", "five", "''")),
    *(f"solve pitprops --rho {rho}" for rho in ("-1", "nan", "inf", "much")),
    "solve pitprops",
    *(
        f"{SOLVE} {more}"
        for more in (
            "--rho 0.1", "--data", "--data --covariance", "--gap -1", "--gap nan", "--time-limit -1",
            "--time-limit nan", "--node-limit -1", "--n-jobs 0", "--certificate absent/c.json",
            "--certificate folder", "--colour red",
        )
    ),
    *(f"path pitprops -k {k}" for k in ("5-2", "1-x", "0-3", "1-99", "''")),
    *(f"path pitprops --rho {rho}" for rho in ("a,b", "-0.1")),
    *(
        f"path pitprops -k 1 {more}"
        for more in (
            "--rho 0.1", "--time-limit -1", "--csv absent/t.csv", "--latex folder", "--plot figure.nonsense",
            "--csv t.csv --certificates wide.csv",
        )
    ),
    *(
        f"certify pitprops --loadings {name}"
        for name in (
            "absent.txt", "noise.txt", "noise.npy", "pickle.npy", "words.npy", "loadings.json",
            "no_loadings.json", "broken.json", "folder", "typo.txt",
        )
    ),
    "certify pitprops", "bound pitprops -k 0", "bound pitprops -k 3 --relaxation magic",
    "bound pitprops -k 3 --solver abacus", "bound pitprops -k 3 --tol nan", "bound pitprops -k 3 --tol -1",
    "bound pitprops -k 3 --certificate absent/c.json", "compare pitprops -k 14",
    "report pitprops -k 3-1 --out r", "report pitprops -k 99 --out r", "report pitprops -k 3 --out wide.csv",
    "report pitprops -k 3", "verify", "verify absent.json", "verify numbers.json --against words.csv",
    *(f"verify numbers.json {how}" for how in ("--data", "--covariance", "--correlation")),
    "verify numbers.json --against pitprops --data", "verify numbers.json --n-jobs 0",
    "verify numbers.json --csv absent/t.csv", "solvent pitprops", "",
]  # fmt: skip
NOT_OF_A_BUILT_IN_SET = [
    "--data", "--uncentred", "--drop-missing", "--symmetrise", "--sep ';'", "--decimal ,", "--na 99",
    "--sheet A",
]  # fmt: skip
TWICE = ["-k 3 -k4", "--plot a.pdf --plot=b.png", "--time-limit 1 --time-l 1", "--exclude 0 --exclude 1"]
REFUSED = {  # what is typed, and words of the error
    # Words that are no numbers, commands or options.
    "solve pitprops -k 2.5": "argument -k: '2.5' is not a whole number",
    "solve pitprops -k 2 --gap much": "argument --gap: 'much' is not a number",
    "path pitprops --share-of-dense x": "argument --share-of-dense: 'x' is not a number",
    "sovle pitprops -k 3": "there is no command sovle; did you mean solve?",
    "near_optimal pitprops": "there is no command near_optimal; did you mean near-optimal?",
    "pca x.csv": "there is no command pca: there are solve, near-optimal,",
    "solve pitprops --kk 3": "there is no option --kk; did you mean -k?",  # and not that a size is missing
    "bound pitprops --rho 1": "no option --rho (solve, path have it) (--help explains)",  # not: --tol meant
    f"{SOLVE} --time_limit=4": "no option --time_limit; did you mean --time-limit?",
    "verify c.json --xyz red": "there is no option --xyz (--help explains)",
    f"{COMPONENTS} -k 7, 4, 4": "4, 4; write a list of numbers without spaces, as 7,4,4",
    f"{COMPONENTS} -k 7,x": "not a list of whole numbers",
    # Options that do not go together, or not with this command.
    "solve pitprops -k 3 --nonnegative --with knots": "include is --with",
    f"{COMPONENTS} -k 3,3 --joint --disjoint --with knots": "include is --with",
    "near-optimal pitprops -k 2 --with knots --without knots": "--with and --without",
    f"{SOLVE} --with knots --without knots": "take it out of include or of exclude (--with and --without",
    "near-optimal pitprops -k 5 --within 5": "for 5 % write 0.05",
    "bound pitprops -k 3 --tol 5": "tol = 5 is 500 %: for 5 % write 0.05",
    "solve pitprops -k 3 --gap 5": "gap = 5 is 500 %: for 5 % write 0.05",
    f"{COMPONENTS} -k 3,3 --joint --deflation schur": "--deflation is for",
    f"{COMPONENTS} -k 3,2 --disjoint": "--disjoint goes with --joint",
    f"{COMPONENTS} -k 3,3 --common": "--common goes with --joint",
    f"{COMPONENTS} -k 3,2 --node-limit 3": "--node-limit goes with --joint",
    f"{COMPONENTS} -k 2,2 --caption Ours": "--caption is that of the LaTeX table: give --latex FILE too",
    "report pitprops --out page --disjoint -k 2,2": "--disjoint goes with --joint",
    "report pitprops --out page": "give -k",
    "report no_such_file.csv -k 7,4,4 --out page": "-k 7,4,4 could be cardinalities of components or of a path",
    "report no_such_file.csv -k 3,2 --out page": "--components 2",
    **{
        f"{verb} pitprops -k 3 --n-jobs 10000000000": "processes are more than this machine can use"
        for verb in ("solve", "path", "compare", "near-optimal", "components", "report --out page")
    },
    f"{SOLVE} --n-jobs 2 --dask tcp://host:8786": "not both (on the command line: client is --dask)",
    "verify . --n-jobs 100000000000000000000": "processes are more than this machine can use",
    "path pitprops --share 0.9 -k 3": "give one of -k, --rho and --share-of-dense",
    "path pitprops --share 0.9 --rho 0.1": "give one of -k, --rho and --share-of-dense",
    "stability pitprops -k 5 --decimals -1": "decimals",
    "solve pitprops -k 1 --uncentred --exclude length": "a built-in correlation matrix: leave out --uncentred",
    "solve pitprops -k 2 --exclude knot": "there is no variable 'knot'; ",
    "verify numbers.json --exclude kind": "give it too",
    "solve pitprop -k 2": "pitprop, and no built-in data set of that name (built in: pitprops)",
    "solve almost.csv -k 1": "--symmetrise",
    "solve almost.csv -k 1 --covariance": "symmetrise=True",
    "solve almost.csv -k 1 --symmetrise --data": "symmetrise is for a covariance matrix",
    "solve asymmetric.csv -k 1 --symmetrise": "not symmetric",  # by more than rounding
    "solve lacking.csv -k 1 --symmetrise": "nothing below the diagonal",
    **{f"solve pitprops -k 2 {words}": f"leave out {words.split()[0]}" for words in NOT_OF_A_BUILT_IN_SET},
    **{f"path pitprops {words}": f"{words.split()[0]} is given twice" for words in TWICE},
    "solve pitprops -k 3,4": "'3,4' is not a whole number; components finds several",
    "solve pitprops -k 1-3": "path one of each size",
    f"{COMPONENTS} -k 3,2 --certificate c.json": "have a certificate each",
    f"{COMPONENTS} -k 3,2 --joint --certificates c.json": "c.json is named as a file is",
    "certify pitprops --loadings table.csv --certificate c.json": "have a certificate each",
    f"{SOLVE} --without nobody": "there is no variable 'nobody'",
    "generalized eye.csv ones.csv --covariance -k 2": "ridge",
    "generalized eye.csv eye.csv -k 2 --within 0.1 --ridge 1": "leave out --groups, --gap, --ridge",
    # Files that cannot be written.
    f"{COMPONENTS} -k 3,2 --plot t.nothing": "must end in one of",
    f"{COMPONENTS} -k 3,2 --csv nowhere/t.csv": "no folder",
    # Files that cannot be read.
    "certify pitprops --loadings topdiam,length": "No such file or directory; give a file with a name",
    "solve cut.npz -k 2": "cannot be read",
    "solve cut.npy -k 2": "cannot be read",
    # Groups, as words and from files.
    f"{SOLVE} --groups nofile": "takes NAME=A,B with names of variables, or a file of groups",
    f"{SOLVE} --groups a=nobody": "the group 'a': there is no variable 'nobody'",
    f"{SOLVE} --groups a=": "the group 'a': no variable is selected",
    f"{SOLVE} --groups a=length,length": "the group 'a': variable length is selected twice",
    f"{SOLVE} --groups a=length --groups a=knots": "the group 'a' is given twice",
    f"{SOLVE} --groups groups_one.csv": "each line is a variable and its group, not 'topdiam'",
    f"{SOLVE} --groups groups_three.csv": "each line is a variable and its group, not 'topdiam,a,b'",
    f"{SOLVE} --groups groups_half.csv": "each line is a variable and its group",
    f"{SOLVE} --groups groups_no.csv": "holds no group",
    f"{SOLVE} --groups groups_typo.csv": "there is no variable 'variabel'",
    f"{SOLVE} --groups groups_comment.csv": "line 2 ('#topdiam,a') begins with #",
    f"{SOLVE} --groups groups_open.json": "not JSON",
    f"{SOLVE} --groups groups_text.json": "give an object of lists of names",
    f"{SOLVE} --groups groups_list.json": "give an object of lists of names",
    # Least squares.
    "subset pitprops --response knots -k 3": "needs observations",
    "bootstrap eye.csv -k 1": "needs observations, not a matrix",
    "held-out almost.csv -k 1": "could be read in two ways",
    "subset observed.csv --response prize -k 2": "no column 'prize' to be explained; do you mean 'price'?",
    f"{SUBSET} -k 1-3 --within 0.1": "leave out --subset, --groups, --gap and other k",
    f"{SUBSET} -k 2 --limit 9": "give --within too",
    "subset alike.csv --response y -k 1 --within 0.1": "(on the command line: exclude is --without)",
    f"{SUBSET} -k 9": "9",
    f"{SUBSET} -k 1-2 --certificate c.json": "about one k",
    f"{SUBSET} --subset a,zz": "zz",
    f"{SUBSET} -k 2 --columns price": "the column 'price' is asked for twice",
}


def known_options():
    commands = parser()._subparsers._group_actions[0].choices
    return {option for command in commands.values() for option in command._option_string_actions}


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("typed", [*BAD, *REFUSED])
def test_what_cannot_be_done_is_one_line_and_leaves_nothing(typed, files, capsys, monkeypatch):
    monkeypatch.chdir(files)
    before = sorted(os.listdir(files))
    code, out, err = run(capsys, *shlex.split(typed))
    assert code == 2
    assert re.fullmatch(r"((Using|Read) .*\n){0,2}", out)  # how the data were read, if that far
    assert len(err.splitlines()) == 1, err
    assert "error: " in err
    assert "Traceback" not in err
    assert REFUSED.get(typed, "") in err
    assert {*re.findall(r"--[a-z][a-z_-]+", err)} <= known_options() | {*re.split("[ =]", typed)}
    assert sorted(os.listdir(files)) == before
