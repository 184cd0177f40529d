"""What an equation costs, counted by its own numbers."""


class Counted(float):
    """A number that counts the multiplications it takes part in."""

    multiplications = 0

    def __mul__(self, other):
        Counted.multiplications += 1
        return Counted(float.__mul__(self, other))

    def __add__(self, other):
        return Counted(float.__add__(self, other))

    def __sub__(self, other):
        return Counted(float.__sub__(self, other))

    def __neg__(self):
        return Counted(float.__neg__(self))

    __rmul__, __radd__ = __mul__, __add__
