"""What lies on the fields: each is cut out of the picture, and small networks look at it."""
