## Drawings of positions

board-empty = (empty)
board-more-components = { $count ->
    [one] ... and { $count } more component
   *[other] ... and { $count } more components
}
board-quota = at most { $count } now
board-empty-heaps = { $count ->
    [one] { $count } empty heap not shown
   *[other] { $count } empty heaps not shown
}
board-more-heaps = { $count ->
    [one] ... and { $count } more heap
   *[other] ... and { $count } more heaps
}
board-target = of { $target }
board-add = { $most ->
    [1] add 1
   *[other] add 1 to { $most }
}
board-ground = ground
board-more-edges = { $count ->
    [one] ... and { $count } more edge
   *[other] ... and { $count } more edges
}
board-both = both
board-left = Left
board-right = Right
board-left-to = Left to
board-right-to = Right to
board-options = of { $left } options of Left and { $right } of Right
board-part-of-strings = { $count ->
    [one] part of { $count } string
   *[other] part of { $count } strings
}
board-strings = x taken, { $free } free; at most { $longest } digits
board-coins = coins 1 to { $shown } of { $count }; more heads: { $more }
board-cells = cells 1 to { $shown } of { $count }; more marks: { $more }
board-square = square
board-more-squares = { $count ->
    [one] ... and { $count } more square with coins
   *[other] ... and { $count } more squares with coins
}
board-no-room = no room to draw the boards
board-more-boards = { $count ->
    [one] ... and { $count } more board
   *[other] ... and { $count } more boards
}
board-painted = B, R painted   b, r for one player   { $free } for nobody
board-dead = dead
board-part-of-grid = rows 1 to { $rows } of { $all_rows }, columns 1 to { $columns } of { $all_columns }
board-more-nodes = { $count ->
    [one] ... and { $count } more node
   *[other] ... and { $count } more nodes
}
board-more-vertices = { $count ->
    [one] ... and { $count } more vertex
   *[other] ... and { $count } more vertices
}
