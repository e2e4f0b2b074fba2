import { environment, settings } from './settings.ts'

/**
 * One line for each environment variable that is no setting, but differs from the name of one by a single letter, by letters that are
 * exchanged, or by case or underscores. It is probably meant, and has no effect.
 */
export function misspelledSettings(env: NodeJS.ProcessEnv = environment()): string[] {
  const known = new Map(settings.map(({ variable }) => [plain(variable), variable]))
  const names = new Set(known.values())
  return Object.keys(env).flatMap((name) => {
    if (names.has(name)) return []
    const meant = known.get(plain(name)) ?? [...known].find(([each]) => isOneEditAway(plain(name), each))?.[1]
    return meant === undefined ? [] : [`${name} is not a setting, and is ignored: did you mean ${meant}?`]
  })
}

const plain = (name: string) => name.toUpperCase().replaceAll(/[_-]/g, '')

/** Whether one inserted, deleted or replaced character, or two exchanged neighbours, make one text of the other. */
function isOneEditAway(first: string, second: string): boolean {
  const [short = '', long = ''] = [first, second].toSorted((a, b) => a.length - b.length)
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  const [left, right] = [short.slice(start), long.slice(start)]
  if (left.length < right.length) return left === right.slice(1)
  return left.slice(1) === right.slice(1) || (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
}
