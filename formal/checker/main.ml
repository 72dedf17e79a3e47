(* Read a translated certificate, run the verified checker, and say what was proved, of which matrix.

   Input: words separated by white space, in the order in which they are read below. Numbers are whole.
   Output, when the checker accepts (status 0), the claim, what it lists, and its matrix; numbers are fractions:

       cardinality n k lower upper include 0,2; exclude 1;   |  penalised n rho ...   |  near_optimal n k ...
       table orthogonal n lower upper sizes 5,3;             |  table disjoint n ...  |  table common n ...
       one_of_each n k lower upper include 0; exclude 1; classes 0,1,1;    the class of every variable
       nonnegative n k lower upper include ; exclude 1;
       whole_groups n k lower upper include ; exclude ; groups 0,3 1 2,4;
       eliminated v,v shift d                                after cardinality, of every matrix with such variables
       others T                                              for near_optimal
       listed 0,1,2 lower upper                              for each support that is listed
       matrix dense n n  |  matrix factor r n                and the entries by rows
       ratio n k lower upper include 0,2; exclude 1;         with matrix forms 2n n (A, then B), or with
                                                             matrix intercept p n+1 | origin p n+1 (X, and y beside it)

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
  | "psi" ->
    let r = index () in
    let a = times n (numbers r) in
    let y = times n (numbers r) in
    let charges = numbers n () in
    let residual = number () in
    Needs (fun g l -> C.Psi (r, a, y, charges, residual, g, l))
  | other -> raise (Malformed ("unknown kind of point " ^ other))

let rule points = function
  | "void" -> C.Void
  | "listed" -> C.Listed
  | "spectral" -> let g = number () in C.Spectral (g, rows ())
  | "trace" -> let d = number () in let g = number () in C.Trace (d, g, rows ())
  | "point" ->
    (match points.(index ()) with
     | exception Invalid_argument _ -> raise (Malformed "no such point")
     | Weights leaf -> leaf
     | Needs leaf -> let g = number () in leaf g (rows ()))
  | other -> raise (Malformed ("unknown node " ^ other))

let rec tree points =
  match word () with
  | "split" ->
    let v = index () in
    let inside = tree points in
    let outside = tree points in
    C.Split (v, inside, outside)
  | other -> C.Leaf (rule points other)

let rec nodes leaf =
  match word () with
  | "split" ->
    let v = index () in
    let inside = nodes leaf in
    let outside = nodes leaf in
    C.Branch (v, inside, outside)
  | other -> C.Rule (leaf other)

let signed_leaf n points raised = function
  | "raised" ->
    let matrix = try raised.(index ()) with Invalid_argument _ -> raise (Malformed "no such matrix") in
    C.Raised (matrix, rule points (word ()))
  | "collatz" -> C.Collatz (numbers n ())
  | other -> raise (Malformed ("unknown node " ^ other))

let group_leaf points = function
  | "union" -> let g = number () in C.Union (g, rows ())
  | other -> C.Norms (rule points other)

let covariance n =
  match word () with
  | "dense" -> C.Dense (times n (numbers n))
  | "factor" ->
    let r = index () in
    let unit = number () in
    C.Factor (r, unit, times n (numbers r))
  | other -> raise (Malformed ("unknown kind of matrix " ^ other))

(* What is claimed, in words, of which matrix (what it is, its unit, its rows), and what the checker says of it. *)
type claim = { words : string list; matrix : string * Z.t * Z.t list list; is_proved : bool }

let transposed r columns = List.init r (fun i -> List.map (fun c -> List.nth c i) columns)

let matrix_of (c : C.certificate) =
  match c.matrix with
  | C.Dense s -> Printf.sprintf "dense %d %d" c.size_of c.size_of, c.denominator, s
  | C.Factor (r, unit, columns) -> Printf.sprintf "factor %d %d" r c.size_of, unit, transposed r columns

let fraction z d = Q.to_string (Q.make z d)
let list l = String.concat "," (List.map string_of_int l)

let member points n () : C.member =
  let support = times (index ()) index in
  let least = number () in
  let most = number () in
  let loadings = numbers n () in
  { C.support; least; most; loadings; evidence = tree points }

let certificate n ?(k = 0) ?(witness = []) denominator matrix (lower_of, upper_of) =
  { C.size_of = n; cardinality = k; denominator; matrix; lower_of; upper_of; witness; proof = C.Leaf C.Void }

let bounds () = let lower = number () in let upper = number () in lower, upper

let one_component kind =
  let n = index () in
  let k, rho = if kind = "penalised" then 0, number () else index (), Z.zero in
  let name = if kind = "eliminated" then "cardinality" else kind in
  let included = times (index ()) index in
  let excluded = times (index ()) index in
  let denominator = number () in
  let matrix = covariance n in
  let lower, upper = bounds () in
  let witness = numbers n () in
  let points = Array.of_list (times (index ()) (point n)) in
  let c = certificate n ~k ~witness denominator matrix (lower, upper) in
  let in_units z = fraction z denominator in
  let stated price =
    Printf.sprintf "%s %d %s %s %s include %s; exclude %s;" name n price (in_units lower) (in_units upper)
      (list included) (list excluded) in
  match kind with
  | "penalised" ->
    let proofs = times n (fun () -> tree points) in
    { words = [stated (in_units rho)]; matrix = matrix_of c;
      is_proved = C.check_penalised included excluded c rho proofs }
  | "eliminated" ->
    let c = { c with C.proof = tree points } in
    let variances = times (index ()) number in
    let shift = number () in
    let g = number () in
    let root = rows () in
    let proofs = times (index ()) (fun () -> tree points) in
    let more = Printf.sprintf "eliminated %s shift %s" (String.concat "," (List.map in_units variances)) (in_units shift) in
    { words = [stated (string_of_int k); more]; matrix = matrix_of c;
      is_proved = C.check_eliminated included excluded c variances shift g root proofs }
  | "cardinality" ->
    let c = { c with C.proof = tree points } in
    { words = [stated (string_of_int k)]; matrix = matrix_of c; is_proved = C.check_under included excluded c }
  | "one_of_each" ->
    let classes = times n index in
    let proof = nodes (rule points) in
    { words = [Printf.sprintf "%s classes %s;" (stated (string_of_int k)) (list classes)]; matrix = matrix_of c;
      is_proved = C.check_one_of_each classes included excluded c proof }
  | "nonnegative" ->
    let raised = Array.of_list (times (index ()) (fun () -> times n (numbers n))) in
    let proof = nodes (signed_leaf n points raised) in
    { words = [stated (string_of_int k)]; matrix = matrix_of c;
      is_proved = included = [] && C.check_nonnegative excluded c proof }
  | "whole_groups" ->
    let groups = times (index ()) (fun () -> times (index ()) index) in
    let norms = List.map (fun _ -> numbers (List.length groups) ()) groups in
    let proof = nodes (group_leaf points) in
    let named = String.concat " " (List.map list groups) in
    { words = [Printf.sprintf "%s groups %s;" (stated (string_of_int k)) named]; matrix = matrix_of c;
      is_proved = included = [] && excluded = [] && C.check_whole_groups c groups norms proof }
  | _ ->
    let others = number () in
    let c = { c with C.proof = tree points } in
    let members = times (index ()) (member points n) in
    let said (m : C.member) = Printf.sprintf "listed %s %s %s" (list m.support) (in_units m.least) (in_units m.most) in
    { words = stated (string_of_int k) :: ("others " ^ in_units others) :: List.map said members; matrix = matrix_of c;
      is_proved = C.check_near_optimal included excluded c others members }

let table_point points = try points.(index ()) with Invalid_argument _ -> raise (Malformed "no such point")

(* A price matrix, and how far Z is from semidefinite. *)
let shifted_point points () =
  let m, _ = table_point points in
  let shift = number () in
  let g = number () in
  ((m, shift), g), rows ()

let rec table_tree points p =
  match word () with
  | "split" ->
    let part = index () in
    let v = index () in
    let inside = table_tree points p in
    let outside = table_tree points p in
    C.TableSplit (part, v, inside, outside)
  | "none" -> C.TableLeaf C.NoTable
  | "prices" ->
    let m, y = table_point points in
    let shift = number () in
    let best = numbers p () in
    let threshold = number () in
    let g = number () in
    C.TableLeaf (C.Prices (m, y, shift, best, threshold, g, rows ()))
  | "choices" ->
    let own = times (index ()) (shifted_point points) in
    let early = index () in
    let group = times p index in
    let entry () = let b = number () in b, numbers (index ()) () in
    let said () = List.map (fun _ -> entry ()) own in
    C.TableLeaf (C.Choices (own, early, group, times (index ()) (fun () -> times (index ()) said)))
  | other -> raise (Malformed ("unknown node " ^ other))

(* A tree for each list of cardinalities to which supports are padded. *)
let table_proofs n parts =
  let points = Array.of_list (times (index ()) (fun () -> let m = times n (numbers n) in m, numbers n ())) in
  times (index ()) (fun () -> table_tree points parts)

let several_components () =
  let name = word () in
  let kind =
    match name with
    | "orthogonal" -> C.Orthogonal
    | "disjoint" -> C.Disjoint
    | "common" -> C.Common
    | other -> raise (Malformed ("unknown kind of supports " ^ other)) in
  let n = index () in
  let sizes = times (index ()) index in
  let r = List.length sizes in
  let denominator = number () in
  let matrix = covariance n in
  let lower, upper = bounds () in
  let vectors = List.map (fun _ -> numbers n ()) sizes in
  let values = List.map (fun _ -> number ()) sizes in
  let parts = if kind = C.Common then 1 else r in
  let proofs = table_proofs n parts in
  let c = certificate n denominator matrix (lower, upper) in
  let stated = Printf.sprintf "table %s %d %s %s" name n (fraction lower denominator) (fraction upper denominator) in
  { words = [Printf.sprintf "%s sizes %s;" stated (list sizes)]; matrix = matrix_of c;
    is_proved = C.check_table c kind sizes vectors values proofs }

let ratio () =
  let n = index () in
  let k = index () in
  let included = times (index ()) index in
  let excluded = times (index ()) index in
  let denominator = number () in
  let pencil =
    match word () with
    | "forms" -> let a = times n (numbers n) in `Forms (a, times n (numbers n))
    | ("intercept" | "origin") as kind ->
      let observations = index () in
      let unit_of_data = number () in
      let columns = times n (numbers observations) in
      let response = numbers observations () in
      `Data { C.observations; intercept = (kind = "intercept"); unit_of_data; columns; response }
    | other -> raise (Malformed ("unknown kind of pencil " ^ other)) in
  let lower, upper = bounds () in
  let witness = numbers n () in
  let mu = number () in
  let scale = numbers n () in
  let most_excess = number () in
  let least_scaled = number () in
  let multiple = number () in
  let v = { C.mu; scale; most_excess; least_scaled; multiple; root = rows () } in
  let points = Array.of_list (times (index ()) (point n)) in
  let proof = tree points in
  let bounded matrix = { (certificate n ~k ~witness denominator matrix (lower, upper)) with C.proof } in
  let words = [Printf.sprintf "ratio %d %d %s %s include %s; exclude %s;" n k (fraction lower denominator)
    (fraction upper denominator) (list included) (list excluded)] in
  match pencil with
  | `Forms (a, b) ->
    { words; matrix = Printf.sprintf "forms %d %d" (2 * n) n, denominator, a @ b;
      is_proved = C.check_ratio included excluded (bounded (C.Dense a)) b v }
  | `Data d ->
    let kind = if d.intercept then "intercept" else "origin" in
    { words; matrix = Printf.sprintf "%s %d %d" kind d.observations (n + 1), d.unit_of_data,
        transposed d.observations (d.columns @ [d.response]);
      is_proved = C.check_fit included excluded (bounded (C.Dense [])) d v }

let claim () =
  match word () with
  | "ratio" -> ratio ()
  | "table" -> several_components ()
  | ("cardinality" | "eliminated" | "penalised" | "near_optimal" | "one_of_each" | "nonnegative" | "whole_groups") as kind -> one_component kind
  | _ -> raise (Malformed "not a translated certificate")

(* Words of a channel, one after another. *)
let reader channel =
  let buffer = Scanf.Scanning.from_channel channel in
  fun () -> Scanf.bscanf buffer " %s" (fun s -> if s = "" then raise (Malformed "the input ends too early") else s)

let print { words; matrix = shape, unit, lines; _ } =
  List.iter print_endline words;
  print_endline ("matrix " ^ shape);
  List.iter (fun line -> print_endline (String.concat " " (List.map (fun z -> fraction z unit) line))) lines

let () =
  words := reader stdin;
  match
    let c = claim () in
    (match word () with exception Malformed _ -> () | _ -> raise (Malformed "words after the end"));
    c
  with
  | exception Malformed reason -> prerr_endline reason; exit 2
  | c -> if c.is_proved then print c else (print_endline "refused"; exit 1)
