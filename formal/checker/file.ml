(* What a certificate claims, of what: read from the file itself, version 3 of the format. What proves it comes from
   elsewhere; of the file's own witness and evidence nothing is read. *)
open Json

type rows = float array array

type description = {
  kind : string; observations : int option; centred : bool option;
  deflation : (string * string * string list * rows) option }

type subject =
  | Matrix of { is_factor : bool; entries : rows; description : description; eliminated : (string list * float list * float) option }
  | Pencil of rows * rows
  | Least_squares of { variables : rows; response : float array; intercept : bool; ridge : float }

type listed = { supports : (int list * float * float) list; others : float }  (* with bounds of each *)

type claim = {
  kind : string; k : int option; rho : float option; sizes : int list; supports : string; lower : float; upper : float;
  held : int list list;  (* what each of several components has to use; else included *)
  included : int list; excluded : int list; one_of_each : int list list; whole_groups : int list list;
  nonnegative : bool; budgets : (int list * int) list; listed : listed option }

type t = { names : string list; digest : string; subject : subject; claim : claim }

(* Fields of an object, each of which has to be known; and what gets one of them. *)
let fields what known = function
  | Object found ->
    List.iter (fun (name, _) -> if not (List.mem name known) then refuse (what ^ " has an unknown field " ^ String.escaped name)) found;
    found, (fun name -> try List.assoc name found with Not_found -> refuse (what ^ " has no " ^ name))
  | _ -> refuse (what ^ " is not an object")

let maybe found name read = match List.assoc_opt name found with None -> None | Some Null -> None | Some v -> Some (read v)
let text = function Text t -> t | _ -> refuse "a text was expected"
let int = function Int i when i >= 0 && i <= 1 lsl 28 -> i | _ -> refuse "a whole number of at most 2^28 was expected"
let list read = function List l -> List.map read l | _ -> refuse "a list was expected"
let bool = function Bool b -> b | _ -> refuse "true or false was expected"
let given found name empty read = match List.assoc_opt name found with None -> empty | Some v -> read v

let rec increases = function a :: (b :: _ as rest) -> a < b && increases rest | _ -> true
let indices n v =
  let found = list int v in
  if not (increases found && List.for_all (fun i -> i < n) found) then refuse "indices are not increasing, or not below n";
  found

let rec are_distinct = function a :: (b :: _ as rest) -> a <> b && are_distinct rest | _ -> true
let names v =
  let found = list text v in
  if not (are_distinct (List.sort compare found)) then refuse "two variables have one name";
  found

(* A double in its one spelling, as Python's float.hex writes it. *)
let double v =
  let s = text v in
  let is_spelt x = if x = 0.0 then s = "0x0.0p+0" || s = "-0x0.0p+0" else s = Printf.sprintf "%.13h" x in
  match float_of_string_opt s with
  | Some x when Float.is_finite x && is_spelt x -> x
  | _ -> refuse ("not a double in hexadecimal: " ^ String.escaped s)

let of_bits text at = Int64.float_of_bits (String.get_int64_le text at)
let u16 = String.get_uint16_le
let u32 text at = Int32.to_int (String.get_int32_le text at) land 0xffffffff

(* The stored arrays of an .npz, by name: a zip archive of .npy files. *)
let members archive =
  let size = String.length archive in
  let broken () = refuse "the .npz is not one zip archive without zip64" in
  if size < 22 || u32 archive (size - 22) <> 0x06054b50 || u16 archive (size - 2) <> 0 then broken ();
  let count = u16 archive (size - 12) and directory = u32 archive (size - 6) in
  if directory + u32 archive (size - 10) <> size - 22 then broken ();
  let first = ref size in
  let rec go at left =
    if left = 0 then (if at <> size - 22 || (count > 0 && !first <> 0) then broken (); [])
    else begin
      if u32 archive at <> 0x02014b50 || u16 archive (at + 8) land 1 <> 0 then broken ();
      let length = u16 archive (at + 28) and start = u32 archive (at + 42) and bytes = u32 archive (at + 20) in
      let name = String.sub archive (at + 46) length in
      if u16 archive (at + 10) <> 0 then refuse ("the array " ^ String.escaped name ^ " is deflated: only stored ones are read here");
      if u32 archive start <> 0x04034b50 then broken ();
      first := min !first start;
      let data = start + 30 + u16 archive (start + 26) + u16 archive (start + 28) in
      (name, (data, bytes)) :: go (at + 46 + length + u16 archive (at + 30) + u16 archive (at + 32)) (left - 1)
    end in
  let found = try go directory count with Invalid_argument _ -> broken () in
  if not (are_distinct (List.sort compare (List.map fst found))) then refuse "two arrays of the .npz have one name";
  found

(* The members to which arrays of a file refer, those of its witness and evidence too. *)
let rec referred = function
  | Object l -> List.concat_map (function "npz", Text key -> [ key ^ ".npy" ] | _, v -> referred v) l
  | List l -> List.concat_map referred l
  | _ -> []

type arrays = { archive : string; members : (string * (int * int)) list }

(* An array of one or two dimensions by rows: one row for one dimension. *)
let array files v =
  let found, get = fields "an array" [ "shape"; "hex"; "npz" ] v in
  let shape = list int (get "shape") in
  let rows, columns = match shape with [ n ] -> 1, n | [ r; n ] -> r, n | _ -> refuse "an array of more than two dimensions" in
  let flat =
    match List.assoc_opt "hex" found, List.assoc_opt "npz" found with
    | Some hex, None -> Array.of_list (list double hex)
    | None, Some key ->
      let name = text key ^ ".npy" in
      let data, bytes = try List.assoc name files.members with Not_found -> refuse ("there is no array " ^ String.escaped name) in
      let header = 10 + u16 files.archive (data + 8) in
      let head = String.sub files.archive data header in
      let inside = String.concat ", " (List.map string_of_int shape) ^ if List.length shape = 1 then "," else "" in
      let expected = Printf.sprintf "\x93NUMPY\x01\x00%s{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }" (String.sub head 8 2) inside in
      let length = String.length expected in
      let is_blank = header > length && String.for_all (( = ) ' ') (String.sub head length (header - length - 1)) in
      if not (is_blank && String.sub head 0 length = expected && head.[header - 1] = '\n') then refuse ("the array " ^ String.escaped name ^ " is not of doubles of this shape");
      if bytes <> header + (8 * rows * columns) then refuse ("the array " ^ String.escaped name ^ " has another size");
      Array.init (rows * columns) (fun i -> of_bits files.archive (data + header + (8 * i)))
    | _ -> refuse "an array is either hex or npz" in
  if Array.length flat <> rows * columns then refuse "an array has another size than its shape says";
  if not (Array.for_all Float.is_finite flat) then refuse "an array has an entry that is not finite";
  shape, Array.init rows (fun i -> Array.sub flat (i * columns) columns)

let matrix files r n v =
  match array files v with
  | [ rows; columns ], found when columns = n && (r = None || r = Some rows) -> found
  | _ -> refuse "an array has another shape than the names say"

let vector files n v = match array files v with [ m ], [| row |] when n = None || n = Some m -> row | _ -> refuse "an array has another shape"

let doubles files v = match v with List _ -> list double v | _ -> Array.to_list (vector files None v)

let deflation files v =
  let _, get = fields "the deflation" [ "method"; "digest"; "names"; "loadings" ] v in
  let names = names (get "names") in
  match array files (get "loadings") with
  | [ n; m ], loadings when n = List.length names && m > 0 -> text (get "method"), text (get "digest"), names, loadings
  | _ -> refuse "the loadings of the deflation have another shape"

let description files v =
  let found, get = fields "the description" [ "kind"; "observations"; "is_centred"; "deflation" ] v in
  let count = function Int i when i >= 0 -> i | _ -> refuse "observations: a whole number was expected" in
  let kind = text (get "kind") in
  if not (List.mem kind [ "matrix"; "covariance"; "correlation"; "second moments" ]) then refuse "an unknown kind of matrix";
  { kind; observations = maybe found "observations" count; centred = maybe found "is_centred" bool;
    deflation = maybe found "deflation" (deflation files) }

let eliminated files v =
  let _, get = fields "what is eliminated" [ "names"; "variances"; "shift" ] v in
  let names = names (get "names") and variances = doubles files (get "variances") in
  if List.length variances <> List.length names then refuse "there is not one variance for each eliminated variable";
  names, variances, double (get "shift")

(* The subject, its names, and the bytes that its digest is of. *)
let subject files v =
  let known = [ "kind"; "digest"; "names"; "storage"; "entries"; "description"; "eliminated"; "numerator"; "denominator"; "variables"; "response"; "intercept"; "ridge" ] in
  let found, get = fields "the subject" known v in
  let only some = List.iter (fun (name, _) -> if not (List.mem name ("kind" :: "digest" :: "names" :: some)) then refuse ("the subject has a field " ^ name ^ " of another kind")) found in
  let own = names (get "names") in
  let n = List.length own in
  if n = 0 then refuse "there are no variables";
  let bytes = Buffer.create 4096 in
  let line l = Buffer.add_string bytes l; Buffer.add_char bytes '\n' in
  let say t = Buffer.add_string bytes (Printf.sprintf "%d:%s\n" (String.length t) t) in
  let number x = Buffer.add_int64_le bytes (Int64.bits_of_float (x +. 0.0)) in
  let numbers rows = Array.iter (Array.iter number) rows in
  let subject =
    match text (get "kind") with
    | "matrix" ->
      only [ "storage"; "entries"; "description"; "eliminated" ];
      let is_factor = match text (get "storage") with "dense" -> false | "factor" -> true | _ -> refuse "an unknown storage" in
      let entries = matrix files (if is_factor then None else Some n) n (get "entries") in
      let description = description files (get "description") and gone = maybe found "eliminated" (eliminated files) in
      line "relaxspca matrix 2";
      line (Printf.sprintf "%s %d %d" (if is_factor then "factor" else "dense") (Array.length entries) n);
      numbers entries; List.iter say own; say description.kind;
      line (match description.observations with None -> "observations unknown" | Some count -> Printf.sprintf "observations %d" count);
      line ("centred " ^ match description.centred with None -> "unknown" | Some true -> "yes" | Some false -> "no");
      (match description.deflation with
       | None -> line "deflation none"
       | Some (way, digest, names, loadings) ->
         line (Printf.sprintf "deflation %d %d" (Array.length loadings) (Array.length loadings.(0)));
         List.iter say (way :: digest :: names); numbers loadings);
      (match gone with
       | None -> line "eliminated none"
       | Some (names, variances, shift) ->
         line (Printf.sprintf "eliminated %d" (List.length names)); List.iter say names;
         List.iter number variances; number shift);
      Matrix { is_factor; entries; description; eliminated = gone }
    | "pencil" ->
      only [ "numerator"; "denominator" ];
      let a = matrix files (Some n) n (get "numerator") and b = matrix files (Some n) n (get "denominator") in
      line "relaxspca pencil 1"; line (Printf.sprintf "dense %d" n); numbers a; numbers b; List.iter say own;
      Pencil (a, b)
    | "least_squares" ->
      only [ "variables"; "response"; "intercept"; "ridge" ];
      let variables = matrix files None n (get "variables") in
      let p = Array.length variables in
      let response = vector files (Some p) (get "response") and intercept = bool (get "intercept") and ridge = double (get "ridge") in
      line "relaxspca pencil 1";
      line (Printf.sprintf "least_squares %d %d %s%s" p n (if intercept then "intercept" else "origin") (if ridge = 0.0 then "" else " ridge"));
      numbers variables; Array.iter number response; if ridge <> 0.0 then number ridge; List.iter say own;
      Least_squares { variables; response; intercept; ridge }
    | other -> refuse ("an unknown kind of subject " ^ String.escaped other) in
  let digest = "sha256:" ^ Sha256.to_hex (Sha256.string (Buffer.contents bytes)) in
  if text (get "digest") <> digest then refuse ("its digest is not that of its subject, which is " ^ digest);
  subject, own, digest

let claim files n v =
  let found, get = fields "the claim" [ "kind"; "k"; "rho"; "sizes"; "supports"; "lower"; "upper"; "include"; "exclude"; "one_of_each"; "whole_groups"; "nonnegative"; "budgets"; "list" ] v in
  let groups name =
    let found = given found name [] (list (indices n)) in
    if not (are_distinct (List.sort compare (List.concat found))) || List.mem [] found then refuse "groups are empty, or share a variable";
    found in
  let budget v =
    let _, get = fields "a budget" [ "variables"; "k" ] v in
    indices n (get "variables"), int (get "k") in
  let some v =
    let _, get = fields "the list" [ "supports"; "lower"; "upper"; "others" ] v in
    let supports = list (indices n) (get "supports") and least = doubles files (get "lower") and most = doubles files (get "upper") in
    if List.length least <> List.length supports || List.length most <> List.length supports then refuse "there is not one bound for each support listed";
    { supports = List.map2 (fun support (b, d) -> support, b, d) supports (List.combine least most); others = double (get "others") } in
  let kind = text (get "kind") in
  let held, included =
    if kind = "components" then given found "include" [] (list (indices n)), [] else [], given found "include" [] (indices n) in
  { kind; held; k = maybe found "k" int; rho = maybe found "rho" double; sizes = given found "sizes" [] (list int);
    supports = given found "supports" "" text; lower = double (get "lower"); upper = double (get "upper"); included;
    excluded = given found "exclude" [] (indices n); one_of_each = groups "one_of_each"; whole_groups = groups "whole_groups";
    nonnegative = given found "nonnegative" false bool; budgets = given found "budgets" [] (list budget);
    listed = maybe found "list" some }

let contents path =
  if (Unix.stat path).Unix.st_kind <> Unix.S_REG then refuse (path ^ " is not a regular file");
  let channel = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in channel) (fun () -> really_input_string channel (in_channel_length channel))

let read path =
  let known = [ "format"; "version"; "made_by"; "subject"; "claim"; "witness"; "evidence"; "arrays" ] in
  let whole = Json.parse (contents path) in
  let found, get = fields "the file" known whole in
  if get "format" <> Text "relaxspca-certificate" || get "version" <> Int 3 then refuse "not a certificate of version 3";
  let files =
    match List.assoc_opt "arrays" found with
    | None -> { archive = ""; members = [] }
    | Some v ->
      let _, get = fields "arrays" [ "file"; "sha256" ] v in
      let name = text (get "file") and hash = text (get "sha256") in
      let stem = Filename.remove_extension (Filename.basename path) in
      if name <> stem ^ ".npz" && (String.length hash < 8 || name <> stem ^ "." ^ String.sub hash 0 8 ^ ".npz") then
        refuse "the .npz has not the name of the file";
      let archive = contents (Filename.concat (Filename.dirname path) name) in
      if Sha256.to_hex (Sha256.string archive) <> hash then refuse "the .npz has another SHA-256";
      let members = members archive and known = referred whole in
      List.iter (fun (name, _) -> if not (List.mem name known) then refuse ("no array refers to " ^ String.escaped name ^ " of the .npz")) members;
      { archive; members } in
  let subject, names, digest = subject files (get "subject") in
  { names; digest; subject; claim = claim files (List.length names) (get "claim") }
