/**
 * Returns the candidate that the user probably meant: the one with the fewest changed, added, missing or swapped characters, if these are
 * at most `most`, by default a third of the word. Upper and lower case are equal.
 */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  most: number = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  let nearestCandidate: string | undefined
  let fewest = most + 1
  for (const candidate of candidates) {
    // Each missing character is a change. This avoids the comparison of most words.
    if (Math.abs(word.length - candidate.length) >= fewest) continue
    const count = distance(word.toLowerCase(), candidate.toLowerCase())
    // Replacing every character of a short word is not a typing mistake.
    if (count < fewest && count < candidate.length) [nearestCandidate, fewest] = [candidate, count]
  }
  return nearestCandidate
}

/** Returns the optimal string alignment distance, in which a swap of neighbours counts as one change. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const replaced = at(last, j - 1) + (isSame ? 0 : 1)
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, isSwap ? at(beforeLast, j - 2) + 1 : replaced))
    }
    ;[beforeLast, last] = [last, row]
  }
  return at(last, b.length)
}

const at = (row: readonly number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY
