(* JSON in ASCII as certificates have it: no fractions or exponents, no field twice. *)
type t = Null | Bool of bool | Int of int | Text of string | List of t list | Object of (string * t) list

exception Malformed of string

let refuse reason = raise (Malformed reason)

(* The UTF-8 bytes of a character. *)
let put buffer code = Buffer.add_utf_8_uchar buffer (Uchar.of_int code)

let parse text =
  let at = ref 0 in
  let peek () = if !at < String.length text then text.[!at] else '\000' in
  let next () = let c = peek () in incr at; c in
  let wrong what = refuse (Printf.sprintf "this is not JSON in ASCII at byte %d: %s" !at what) in
  let rec blank () = match peek () with ' ' | '\t' | '\n' | '\r' -> incr at; blank () | _ -> () in
  let expect c = if next () <> c then wrong (Printf.sprintf "%c was expected" c) in
  let four () =
    if !at + 4 > String.length text then wrong "four hexadecimal digits were expected";
    let digits = String.sub text !at 4 in
    at := !at + 4;
    if String.exists (fun c -> not (match c with '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true | _ -> false)) digits then
      wrong "four hexadecimal digits were expected";
    int_of_string ("0x" ^ digits) in
  let escape buffer =
    match next () with
    | ('"' | '\\' | '/') as c -> Buffer.add_char buffer c
    | 'b' -> put buffer 8 | 'f' -> put buffer 12 | 'n' -> put buffer 10 | 'r' -> put buffer 13 | 't' -> put buffer 9
    | 'u' ->
      let code = four () in
      if code land 0xfc00 = 0xd800 then begin
        expect '\\'; expect 'u';
        let second = four () in
        if second land 0xfc00 <> 0xdc00 then wrong "a lone surrogate";
        put buffer (0x10000 + ((code land 0x3ff) lsl 10) + (second land 0x3ff))
      end
      else if code land 0xfc00 = 0xdc00 then wrong "a lone surrogate"
      else put buffer code
    | _ -> wrong "an unknown escape" in
  let string () =
    expect '"';
    let buffer = Buffer.create 32 in
    let rec go () =
      match next () with
      | '"' -> Buffer.contents buffer
      | '\\' -> escape buffer; go ()
      | ' ' .. '~' as c -> Buffer.add_char buffer c; go ()
      | _ -> wrong "a text that is not closed, or not in ASCII" in
    go () in
  let number () =
    let first = !at in
    if peek () = '-' then incr at;
    let digits = !at in
    while (match peek () with '0' .. '9' -> true | _ -> false) do incr at done;
    let length = !at - digits in
    if length = 0 || length > 16 || (length > 1 && text.[digits] = '0') then wrong "a whole number was expected";
    (match peek () with '.' | 'e' | 'E' -> wrong "a number with a point or an exponent" | _ -> ());
    let found = String.sub text first (!at - first) in
    if found = "-0" then wrong "-0";
    Int (int_of_string found) in
  let word name value =
    if !at + String.length name <= String.length text && String.sub text !at (String.length name) = name then begin
      at := !at + String.length name; value end
    else wrong "an unknown word" in
  (* The items up to a closing bracket. *)
  let items closing read =
    blank ();
    if peek () = closing then (incr at; [])
    else
      let rec go found =
        let found = read () :: found in
        blank ();
        match next () with
        | ',' -> blank (); go found
        | c when c = closing -> List.rev found
        | _ -> wrong "a comma or a bracket was expected" in
      go [] in
  let rec value () =
    blank ();
    match peek () with
    | '{' -> incr at;
      let fields = items '}' (fun () -> let name = string () in blank (); expect ':'; let v = value () in name, v) in
      let names = List.sort compare (List.map fst fields) in
      let rec distinct = function a :: (b :: _ as rest) -> if a = b then wrong ("the field " ^ a ^ " twice"); distinct rest | _ -> () in
      distinct names; Object fields
    | '[' -> incr at; List (items ']' value)
    | '"' -> Text (string ())
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | 'n' -> word "null" Null
    | _ -> number () in
  let found = value () in
  blank ();
  if !at <> String.length text then wrong "something after the end";
  found
