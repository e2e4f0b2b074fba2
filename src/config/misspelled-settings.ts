import { nearest } from './nearest.ts'
import { environment, settings } from './settings.ts'

/**
 * Returns one line for each environment variable that is not a setting but probably means one, without an effect. It differs from the name
 * of a setting by a single letter, by exchanged letters, or by case or underscores.
 */
export function misspelledSettings(env: NodeJS.ProcessEnv = environment()): string[] {
  const namesByText = new Map(
    settings.flatMap(({ variable, fileVariable = [] }) => [variable, fileVariable].flat()).map((name) => [plain(name), name]),
  )
  const names = new Set(namesByText.values())
  return Object.keys(env).flatMap((name) => {
    if (names.has(name)) return []
    const meant = namesByText.get(nearest(plain(name), namesByText.keys(), 1) ?? '')
    return meant === undefined ? [] : [`${name} is not a setting, and is ignored: did you mean ${meant}?`]
  })
}

const plain = (name: string) => name.toUpperCase().replaceAll(/[_-]/g, '')
