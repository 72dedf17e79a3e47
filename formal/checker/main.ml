(* Read a translated certificate, run the verified checker, and say what was proved, of which matrix.

   Input: words separated by white space, in the order in which they are read below. Numbers are whole.
   Output, when the checker accepts (status 0):

       cardinality n k lower upper  |  penalised n rho lower upper       numbers as fractions
       conditions n k lower upper include 0,2 exclude 1
       matrix dense n n  |  matrix factor r n  and the entries by rows, as fractions

   These lines come from the very value that was checked, so whoever reads them need not trust who wrote the input.
   Status 1: refused. Status 2: not a translated certificate. *)

module C = Sparse_checker

exception Malformed of string

let words : (unit -> string) ref = ref (fun () -> raise (Malformed "nothing to read"))
let word () = !words ()

let rec times n read = if n <= 0 then [] else let x = read () in x :: times (n - 1) read

let index () =
  match int_of_string_opt (word ()) with
  | Some i when i >= 0 && i < 1_000_000 -> i
  | _ -> raise (Malformed "an index was expected")

let number () =
  let text = word () in
  try Z.of_string text with _ -> raise (Malformed ("a whole number was expected, not " ^ text))

let numbers n () = times n number
let rows () = let m = index () in times m (fun () -> numbers (index ()) ())

(* A point is a leaf without the evidence (g, L) that a matrix is positive semidefinite; weights need none. *)
type point = Weights of C.leaf | Needs of (Z.t -> Z.t list list -> C.leaf)

let point n () =
  let square () = times n (numbers n) in
  match word () with
  | "weights" -> Weights (C.Rowsum (numbers n ()))
  | "perron" -> let p = square () in let q = square () in Needs (fun g l -> C.Perron (p, q, g, l))
  | "pairwise" ->
    let v = square () in
    let lambda = numbers n () in
    let prices = square () in
    let w = rows () in
    Needs (fun g l -> C.Pairwise (v, lambda, prices, w, g, l))
  | "psi" ->
    let r = index () in
    let a = times n (numbers r) in
    let y = times n (numbers r) in
    let charges = numbers n () in
    let residual = number () in
    Needs (fun g l -> C.Psi (r, a, y, charges, residual, g, l))
  | other -> raise (Malformed ("unknown kind of point " ^ other))

let rec tree points =
  let chosen () = try points.(index ()) with Invalid_argument _ -> raise (Malformed "no such point") in
  let evidence () = let g = number () in let l = rows () in g, l in
  match word () with
  | "split" ->
    let v = index () in
    let inside = tree points in
    let outside = tree points in
    C.Split (v, inside, outside)
  | "void" -> C.Leaf C.Void
  | "spectral" -> let g, l = evidence () in C.Leaf (C.Spectral (g, l))
  | "trace" -> let d = number () in let g, l = evidence () in C.Leaf (C.Trace (d, g, l))
  | "point" ->
    (match chosen () with
     | Weights leaf -> C.Leaf leaf
     | Needs leaf -> let g, l = evidence () in C.Leaf (leaf g l))
  | other -> raise (Malformed ("unknown node " ^ other))

let covariance n =
  match word () with
  | "dense" -> C.Dense (times n (numbers n))
  | "factor" ->
    let r = index () in
    let unit = number () in
    C.Factor (r, unit, times n (numbers r))
  | other -> raise (Malformed ("unknown kind of matrix " ^ other))

type claim =
  | Cardinality of C.certificate
  | Conditions of C.certificate * int list * int list
  | Penalised of C.certificate * Z.t * C.tree list

let claim () =
  let kind = word () in
  if not (List.mem kind ["cardinality"; "conditions"; "penalised"]) then raise (Malformed "not a translated certificate");
  let penalised = kind = "penalised" in
  let n = index () in
  let k, rho = if penalised then 0, number () else index (), Z.zero in
  let some () = if kind = "conditions" then times (index ()) index else [] in
  let included = some () in
  let excluded = some () in
  let denominator = number () in
  let matrix = covariance n in
  let lower_of = number () in
  let upper_of = number () in
  let witness = numbers n () in
  let count = index () in
  let points = Array.of_list (times count (point n)) in
  let proofs = times (if penalised then n else 1) (fun () -> tree points) in
  let proof = match proofs with [t] when not penalised -> t | _ -> C.Leaf C.Void in
  let c = { C.size_of = n; cardinality = k; denominator; matrix; lower_of; upper_of; witness; proof } in
  match kind with
  | "penalised" -> Penalised (c, rho, proofs)
  | "conditions" -> Conditions (c, included, excluded)
  | _ -> Cardinality c

(* Words of a channel, one after another. *)
let reader channel =
  let buffer = Scanf.Scanning.from_channel channel in
  fun () -> Scanf.bscanf buffer " %s" (fun s -> if s = "" then raise (Malformed "the input ends too early") else s)

let fraction z d = Q.to_string (Q.make z d)

let transposed r columns = List.init r (fun i -> List.map (fun c -> List.nth c i) columns)

let print ?(scope = "") verb price (c : C.certificate) =
  let d = c.denominator in
  Printf.printf "%s %d %s %s %s%s\n" verb c.size_of price (fraction c.lower_of d) (fraction c.upper_of d) scope;
  let kind, unit, lines =
    match c.matrix with
    | C.Dense s -> Printf.sprintf "dense %d" c.size_of, d, s
    | C.Factor (r, unit, columns) -> Printf.sprintf "factor %d" r, unit, transposed r columns in
  Printf.printf "matrix %s %d\n" kind c.size_of;
  List.iter (fun line -> print_endline (String.concat " " (List.map (fun z -> fraction z unit) line))) lines

let refuse () = print_endline "refused"; exit 1

let () =
  words := reader stdin;
  match
    let c = claim () in
    (match word () with exception Malformed _ -> () | _ -> raise (Malformed "words after the end"));
    c
  with
  | exception Malformed reason -> prerr_endline reason; exit 2
  | Cardinality c -> if C.check c then print "cardinality" (string_of_int c.cardinality) c else refuse ()
  | Conditions (c, included, excluded) ->
    let list l = String.concat "," (List.map string_of_int l) in
    let scope = Printf.sprintf " include %s; exclude %s;" (list included) (list excluded) in
    if C.check_conditions c included excluded then print ~scope "conditions" (string_of_int c.cardinality) c else refuse ()
  | Penalised (c, rho, proofs) ->
    if C.check_penalised c rho proofs then print "penalised" (fraction rho c.denominator) c else refuse ()
