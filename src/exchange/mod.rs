//! Reading and writing the formats of other programs.
