(* Read a certificate, run the verified checker on it with the evidence of standard input, and say what was proved.

     checker FILE [--digest sha256:... | --term] < EVIDENCE

   The claim, and what it speaks of, are those of the file (file.ml); the checker gets them from here, and what is
   printed is printed from the same values. Evidence is words separated by white space, in the order in which they are
   read below: exponents of two that make every number whole, the vectors that attain the lower bound, and what proves
   the upper one. Whoever wrote it need not be trusted.
   Status 0: proved. 1: refused. 2: not a certificate, or no evidence for it. 3: not covered. *)
open File
module C = Sparse_checker

exception Not_covered of string

(* Evidence. *)
let refuse = Json.refuse
let buffer = Scanf.Scanning.stdin
let word () = Scanf.bscanf buffer " %s" (fun s -> if s = "" then refuse "the evidence ends too early" else s)
let rec times n read = if n <= 0 then [] else let x = read () in x :: times (n - 1) read
let index () = match int_of_string_opt (word ()) with Some i when i >= 0 && i < 1_000_000 -> i | _ -> refuse "evidence: an index was expected"
let number () = let text = word () in try Z.of_string text with _ -> refuse "evidence: a whole number was expected"
let numbers n () = times n number
let indices () = times (index ()) index
let rows () = times (index ()) (fun () -> numbers (index ()) ())
let root () = let multiple = number () in let grain = number () in { C.multiple; grain; triangle = rows () }
let replaced at values all =
  let found = Array.of_list all in
  List.iter2 (Array.set found) at values;
  Array.to_list found
let zeros n = List.init n (fun _ -> Z.zero)

(* Doubles in units of 2^-e. *)
let exponent () = let e = index () in if e > 10_000 then refuse "evidence: an exponent is too large" else e
let power e = Z.shift_left Z.one e

let whole e x =
  let m, b = Float.frexp x in
  let m = Z.of_float (Float.ldexp m 53) and b = b - 53 + e in
  if b >= 0 then Z.shift_left m b
  else begin
    let q = Z.shift_right m (-b) in
    if not (Z.equal (Z.shift_left q (-b)) m) then refuse "evidence: a number of the file is not whole in this unit";
    q
  end

let whole_rows e found = Array.to_list (Array.map (fun row -> Array.to_list (Array.map (whole e) row)) found)
let columns found = Array.init (Array.length found.(0)) (fun i -> Array.map (fun row -> row.(i)) found)
let of_point points at = try points.(at) with Invalid_argument _ -> refuse "evidence: no such point"

(* A factor is a leaf without the evidence that a matrix is positive semidefinite. *)
let factor n () =
  let r = index () in
  let a = times n (numbers r) in
  let y = times n (numbers r) in
  let charges = numbers n () in
  let residual = number () in
  fun why -> C.Psi (r, a, y, charges, residual, why)

(* Weights of rows; P and N, or none, for some variables, and what they leave. *)
let point matrices n () =
  let weights = numbers n () in
  let for_pairs, paying = match word () with "none" -> [], [] | at -> of_point matrices (int_of_string at) in
  let near = indices () in
  let rest = replaced near (numbers (List.length near) ()) (zeros n) in
  { C.near; for_pairs; paying; rest; why_rest = root (); weights }

let rule factors = function
  | "listed" -> C.Listed
  | "rows" -> C.Rows (index ())
  | "factor" -> let leaf = of_point factors (index ()) in leaf (root ())
  | _ -> refuse "evidence: an unknown kind of leaf"

let rec nodes leaf =
  match word () with
  | "split" ->
    let v = index () in
    let inside = nodes leaf in
    let outside = nodes leaf in
    C.Branch (v, inside, outside)
  | "keep" -> let which = index () in let kept = indices () in C.Keep (which, kept, nodes leaf)
  | other -> C.Rule (leaf other)

let signed_leaf n factors = function
  | "collatz" -> C.Collatz (numbers n ())
  | other -> C.Ruled (rule factors other)

let evidence_points n =
  let pair () = let p = rows () in p, rows () in  (* P and N *)
  let matrices = Array.of_list (times (index ()) pair) in
  let factors = Array.of_list (times (index ()) (factor n)) in
  matrices, factors, times (index ()) (point matrices n)

let certificate n k ?(witness = []) ~points_of denominator matrix (lower_of, upper_of) proof =
  { C.size_of = n; cardinality = k; denominator; matrix; lower_of; upper_of; witness; points_of; proof }

let matrix_of is_factor e entries =
  if is_factor then C.Factor (Array.length entries, power e, whole_rows e (columns entries))
  else C.Dense (whole_rows (2 * e) entries)

(* What is claimed of the supports that are not listed, and of those that are. *)
let listed n w c =
  let member (support, least, most) =
    let loadings = numbers n () in
    { C.support; least = w least; most = w most; loadings; why = root () } in
  match c.listed with None -> w c.upper, [] | Some l -> w l.others, List.map member l.supports

(* A number for each variable, the same for those of one group. *)
let classes n c =
  let found = Array.init n Fun.id in
  List.iter (fun group -> List.iter (fun i -> found.(i) <- List.hd group) group) c.one_of_each;
  if c.one_of_each = [] then [] else Array.to_list found

let checked = ref None  (* what `--term` prints *)

let component file is_factor entries gone =
  let c = file.claim and n = List.length file.names in
  let e = exponent () in
  let w = whole (2 * e) in
  let matrix = matrix_of is_factor e entries in
  let witness = numbers n () in
  let m = if c.whole_groups = [] then n else List.length c.whole_groups in
  let _, factors, points_of = evidence_points m in
  let k = Option.value c.k ~default:0 in
  let with_proof = certificate n k ~witness ~points_of (power (2 * e)) matrix (w c.lower, w c.upper) in
  let plain () = nodes (rule factors) in
  let none = C.Rule C.Listed in
  match c, gone with
  | { rho = Some rho; k = None; one_of_each = []; whole_groups = []; nonnegative = false; listed = None; _ }, None ->
    let proofs = times (n + 1) plain in
    C.check_penalised c.included c.excluded (with_proof none) (w rho) proofs
  | { rho = Some _; k = Some _; _ }, _ -> refuse "both k and rho"
  | { rho = Some _; _ }, _ -> raise (Not_covered "a penalty with groups, signs, a list or eliminated variables")
  | { k = None; _ }, _ -> refuse "neither k nor rho"
  | { whole_groups = []; nonnegative = false; _ }, None ->
    let proof = plain () in
    let others, list = listed n w c in
    let made = with_proof proof in
    checked := Some made;
    C.check_near_optimal (classes n c) c.included c.excluded made others list
  | { listed = None; one_of_each = []; whole_groups = []; nonnegative = false; _ }, Some (_, variances, shift) ->
    let why = root () in
    let proofs = times (index ()) plain in
    C.check_eliminated c.included c.excluded (with_proof none) (List.map w variances) (w shift) why proofs
  | _, Some _ -> raise (Not_covered "a list with eliminated variables")
  | { nonnegative = true; one_of_each = []; whole_groups = []; included = []; listed = None; _ }, _ ->
    C.check_nonnegative c.excluded (with_proof none) (nodes (signed_leaf n factors))
  | { whole_groups = groups; one_of_each = []; nonnegative = false; included = []; excluded = []; listed = None; _ }, _ ->
    let norms = times m (numbers m) in
    let proof = plain () in
    let union () = let some = indices () in some, root () in
    C.check_whole_groups (with_proof proof) groups norms (times (index ()) union)
  | _ -> refuse "conditions that may not stand together"

let rec part_proof matrices n () =
  match word () with
  | "tried" -> C.Tried
  | "rows" -> C.ByRows (point matrices n ())
  | "within" ->
    let kept = indices () in
    let within = part_proof matrices n () in
    C.Within (kept, within, part_proof matrices n ())
  | _ -> refuse "evidence: an unknown way to bound a part"

(* M is Sigma but on some variables. *)
let multipliers sigma n () =
  let own = indices () in
  let rows = List.map (fun i -> replaced own (numbers (List.length own) ()) (List.nth sigma i)) own in
  own, replaced own rows sigma, numbers n ()

let rec table_tree matrices points n p =
  match word () with
  | "split" ->
    let part = index () in
    let v = index () in
    let inside = table_tree matrices points n p in
    let outside = table_tree matrices points n p in
    C.TableSplit (part, v, inside, outside)
  | "keep" ->
    let part = index () in
    let kept = indices () in
    let lost =
      match word () with
      | "apart" ->
        let weights = index () in
        let level = number () in
        let group () = let some = indices () in some, number () in
        C.Apart (weights, level, times (index ()) group)
      | other -> C.Together (table_leaf matrices points n p other) in
    C.TableKeep (part, kept, lost, table_tree matrices points n p)
  | other -> C.TableLeaf (table_leaf matrices points n p other)

and table_leaf matrices points n p = function
  | "none" -> C.NoTable
  | "multipliers" ->
    let own, m, y = of_point points (index ()) in
    let shift = number () in
    let best = numbers p () in
    let how = times p (part_proof matrices n) in
    let threshold = number () in
    C.Prices (own, m, y, shift, best, how, threshold, root ())
  | "choices" ->
    let multiplier () =
      let _, m, _ = of_point points (index ()) in
      let shift = number () in
      (m, shift), root () in
    let own = times (index ()) multiplier in
    let group = times p index in
    let entry () = let b = number () in b, numbers (index ()) () in
    let said () = List.map (fun _ -> entry ()) own in
    C.Choices (own, group, times (index ()) (fun () -> times (index ()) said))
  | _ -> refuse "evidence: an unknown kind of node"

let components file is_factor entries gone =
  let c = file.claim and n = List.length file.names in
  if gone <> None then refuse "several components with eliminated variables";
  let kind = match c.supports with "orthogonal" -> C.Orthogonal | "disjoint" -> C.Disjoint | "common" -> C.Common | _ -> refuse "unknown supports" in
  let e = exponent () in
  let matrix = matrix_of is_factor e entries in
  let vectors = List.map (fun _ -> numbers n ()) c.sizes in
  let values = List.map (fun _ -> number ()) c.sizes in
  let parts = if kind = C.Common then 1 else List.length c.sizes in
  if c.held <> [] && List.length c.held <> parts then refuse "there is not one list of variables to include for each support";
  let matrices, factors, points_of = evidence_points n in
  let sigma = C.entries matrix in
  let itself = List.init n Fun.id, sigma, zeros n in
  let points = Array.of_list (itself :: times (index ()) (multipliers sigma n)) in
  let tree parts = table_tree matrices points n parts in
  let known () =
    let sizes = indices () in
    let most = number () in
    (sizes, most), (match sizes with [ _ ] -> C.OfOne (nodes (rule factors)) | _ -> C.OfSeveral (tree (List.length sizes))) in
  let known = times (index ()) known in
  let proof = tree parts in
  let bounds = whole (2 * e) c.lower, whole (2 * e) c.upper in
  let claim = certificate n 0 ~points_of (power (2 * e)) matrix bounds (C.Rule C.Listed) in
  C.check_table claim kind c.held c.excluded c.sizes vectors values known proof

let ratio file =
  let c = file.claim and n = List.length file.names in
  let k = match c.k with Some k -> k | None -> refuse "a ratio without k" in
  let quota = if c.budgets = [] then [ List.init n Fun.id, k ] else c.budgets in
  if List.fold_left (fun sum (_, k) -> sum + k) 0 quota <> k then refuse "the budgets do not add up to k";
  let e = exponent () in
  let unit_of_data = exponent () in
  let witness = numbers n () in
  let mu = number () in
  let scale = numbers n () in
  let most_excess = number () in
  let least_scaled = number () in
  let v = { C.mu; scale; most_excess; least_scaled; why_least = root () } in
  let _, factors, points_of = evidence_points n in
  let proof = nodes (rule factors) in
  let others, list = listed n (whole e) c in
  let bounds = whole e c.lower, whole e c.upper in
  let about matrix = certificate n k ~witness ~points_of (power e) matrix bounds proof in
  match file.subject with
  | Pencil (a, b) -> C.check_ratio (classes n c) quota c.included c.excluded (about (C.Dense (whole_rows e a))) (whole_rows e b) others list v
  | Least_squares { variables; response; intercept; ridge } ->
    let d = { C.observations = Array.length response; intercept; ridge = whole (2 * unit_of_data) ridge; unit_of_data = power unit_of_data;
              columns = whole_rows unit_of_data (columns variables); response = List.map (whole unit_of_data) (Array.to_list response) } in
    C.check_fit (classes n c) quota c.included c.excluded (about (C.Dense [])) d others list v
  | Matrix _ -> refuse "a ratio of one matrix"

let is_proved file =
  let unused = file.claim.kind <> "components" && (file.claim.sizes <> [] || file.claim.supports <> "") in
  if unused || (file.claim.kind <> "ratio" && file.claim.budgets <> []) then refuse "a claim of another kind has these conditions";
  match file.claim.kind, file.subject with
  | "component", Matrix { is_factor; entries; eliminated; _ } -> component file is_factor entries eliminated
  | "components", Matrix { is_factor; entries; eliminated; _ } when file.claim.k = None && file.claim.rho = None && file.claim.listed = None
      && file.claim.one_of_each = [] && file.claim.whole_groups = [] && not file.claim.nonnegative ->
    components file is_factor entries eliminated
  | "ratio", (Pencil _ | Least_squares _) when file.claim.rho = None && file.claim.whole_groups = [] && not file.claim.nonnegative -> ratio file
  | kind, _ -> refuse ("an unknown claim: " ^ String.escaped kind)

(* A certificate as a term of Rocq. *)
let term c =
  let z x = "(" ^ Z.to_string x ^ ")" and index i = string_of_int i ^ "%N" in
  let all show l = "[::" ^ String.concat ";" (List.map show l) ^ "]\n" in
  let numbers = all z in
  let rows = all numbers in
  let root (w : C.root) = Printf.sprintf "(Root %s %s %s)" (z w.multiple) (z w.grain) (rows w.triangle) in
  let point (p : C.point) = String.concat " " [ "Point"; all index p.near; rows p.for_pairs; rows p.paying; numbers p.rest; root p.why_rest; numbers p.weights ] in
  let rec tree = function
    | C.Rule C.Listed -> "(Rule Listed)"
    | C.Rule (C.Rows at) -> Printf.sprintf "(Rule (Rows %s))" (index at)
    | C.Rule (C.Psi (r, a, y, t, e, w)) -> String.concat " " [ "(Rule (Psi"; index r; rows a; rows y; numbers t; z e; root w ^ "))" ]
    | C.Branch (v, inside, outside) -> Printf.sprintf "(Branch %s %s %s)" (index v) (tree inside) (tree outside)
    | C.Keep (at, kept, child) -> Printf.sprintf "(Keep %s %s %s)" (index at) (all index kept) (tree child) in
  let matrix = match c.C.matrix with
    | C.Dense m -> "Dense " ^ rows m
    | C.Factor (r, unit, columns) -> String.concat " " [ "Factor"; index r; z unit; rows columns ] in
  Printf.sprintf "Definition c := Certificate %s %s %s (%s) %s %s %s %s %s.\n" (index c.size_of) (index c.cardinality) (z c.denominator) matrix
    (z c.lower_of) (z c.upper_of) (numbers c.witness) (all point c.points_of) (tree c.proof)

(* What is said of a claim. Bounds have twelve digits, rounded outwards. *)
let decimal ~up x =
  let is_beyond text = let c = Q.compare (Q.of_string text) (Q.of_float x) in if up then c >= 0 else c <= 0 in
  let step = Float.max (Float.succ 0.0) (1e-12 *. Float.abs x) in
  let rec shown y =
    let text = Printf.sprintf "%.12g" y in
    if is_beyond text then text else shown (if up then y +. step else y -. step) in
  shown x

let between lower what upper = Printf.sprintf "%s <= %s <= %s" (decimal ~up:false lower) what (decimal ~up:true upper)
let exact x = Printf.sprintf "%h" x

(* Names in ASCII, without what a terminal could obey; in quotes, as in CSV, where one could pass for more than a name. *)
let shown text =
  let quote = if text = "" || String.exists (String.contains ",;<\"") text then "\"" else "" in
  let escape = function '"' -> "\"\"" | ' ' .. '~' as c when c <> '\\' -> String.make 1 c | c -> Printf.sprintf "\\x%02x" (Char.code c) in
  quote ^ String.concat "" (List.of_seq (Seq.map escape (String.to_seq text))) ^ quote

let said file =
  let c = file.claim in
  let named l = String.concat ", " (List.map (fun i -> shown (List.nth file.names i)) l) in
  let sets l = String.concat "; " (List.map named l) in
  let what =
    match c.kind, c.k, c.rho with
    | "components", _, _ -> Printf.sprintf "v_{%s}, %s supports," (String.concat "," (List.map string_of_int c.sizes)) c.supports
    | "ratio", Some k, _ -> Printf.sprintf "ratio_%d" k
    | _, Some k, _ -> Printf.sprintf "v_%d" k
    | _, _, Some rho -> Printf.sprintf "phi(%s)" (exact rho)
    | _ -> "?" in
  let if_any title text l = if l = [] then [] else [ title ^ text l ] in
  let about =
    match file.subject with
    | Matrix { description = d; _ } ->
      let count = match d.observations with None -> "" | Some o -> Printf.sprintf " of %d observations" o in
      let centred = match d.centred with None -> "" | Some true -> ", centred" | Some false -> ", not centred" in
      let deflated = match d.deflation with None -> "" | Some (way, digest, _, l) -> Printf.sprintf ", deflated %d times (%s) from %s" (Array.length l.(0)) (shown way) (shown digest) in
      (if d.kind = "second moments" then "the second moments" else "a " ^ d.kind ^ (if d.kind = "matrix" then "" else " matrix")) ^ count ^ centred ^ deflated
    | Pencil _ -> "a pencil of two matrices, the second positive definite"
    | Least_squares { variables; intercept; ridge; _ } ->
      let price = if ridge = 0.0 then "" else ", a ridge of " ^ exact ridge in
      Printf.sprintf "least squares, %d observations, %s an intercept%s" (Array.length variables) (if intercept then "with" else "without") price in
  let condition =
    match file.subject with
    | Matrix { eliminated = Some (names, variances, shift); _ } ->
      let one name s = Printf.sprintf "%s %s" (shown name) (exact s) in
      [ "of every matrix that has this block, no eigenvalue below -" ^ exact shift ^ " and at most the variances "
        ^ String.concat ", " (List.map2 one names variances) ]
    | _ -> [] in
  let listed (l : File.listed) =
    List.map (fun (s, b, d) -> "listed: " ^ between b (named s) d) l.supports @ [ "every other support: at most " ^ decimal ~up:true l.others ] in
  [ Printf.sprintf "%s (n = %d; %s, %s)" (between c.lower what c.upper) (List.length file.names) (exact c.lower) (exact c.upper);
    Printf.sprintf "%s, of %s" about file.digest ]
  @ if_any "with " named c.included @ if_any "with, one after another: " sets c.held @ if_any "without " named c.excluded
  @ if_any "at most one of each group: " sets c.one_of_each @ if_any "whole groups: " sets c.whole_groups
  @ (if c.nonnegative then [ "loadings of at least 0" ] else [])
  @ List.map (fun (l, k) -> Printf.sprintf "at most %d of %s" k (named l)) c.budgets
  @ condition @ (match c.listed with None -> [] | Some l -> listed l)

let () =
  let path, digest, as_term =
    match Array.to_list Sys.argv with
    | [ _; path ] -> path, None, false
    | [ _; path; "--term" ] -> path, None, true
    | [ _; path; "--digest"; digest ] | [ _; "--digest"; digest; path ] -> path, Some digest, false
    | _ -> prerr_endline "checker FILE [--digest sha256:... | --term] < EVIDENCE"; exit 2 in
  let stop status reason = prerr_endline reason; exit status in
  match
    let file = File.read path in
    (match digest with Some d when d <> file.digest -> refuse ("it speaks of " ^ file.digest ^ ", not of " ^ shown d) | _ -> ());
    let is_proved = is_proved file in
    (match word () with exception Json.Malformed _ -> () | _ -> refuse "evidence: words after the end");
    if not is_proved then [] else match !checked with Some made when as_term -> [term made] | _ -> said file
  with
  | [] -> stop 1 "the verified checker does not accept"
  | lines -> List.iter print_endline lines
  | exception Not_covered what -> stop 3 what
  | exception Json.Malformed reason -> stop 2 reason
  | exception Stack_overflow -> stop 2 "it is nested too deeply"
  | exception error -> stop 2 (Printexc.to_string error)
