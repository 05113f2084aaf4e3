//! Every structure of a level as shapes with semantic styles, and the sinks that draw them.
