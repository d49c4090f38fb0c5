"""What is about volcli and no part of it: the pages of the site, and what builds it."""
