(* Zarith, under a name that the extracted program does not use itself. Numbers of bits are small. *)
include Z

let has_bit x bit = testbit x (to_int bit)
let with_bit x bit = logor x (shift_left one (to_int bit))
