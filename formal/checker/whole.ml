(* Zarith, under a name that the extracted program does not use itself. *)
include Z
