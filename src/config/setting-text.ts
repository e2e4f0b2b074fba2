import { readFileSync } from 'node:fs'
import { getErrorMessage } from './error-message.ts'

/** The error for an invalid setting. Its message is one line that contains the variable. */
export class ConfigError extends Error {}

interface Variables {
  variable: string
  /** Name of the variable with the path of a file that contains the value; secrets have one. */
  fileVariable?: string | undefined
}

/** Reads a variable. An empty one counts as absent, because Compose files and CI systems write absent ones that way. */
export const readVariable = (env: NodeJS.ProcessEnv, variable: string): string | undefined => env[variable]?.trim() || undefined

/**
 * Returns the text of a setting: the value of its variable, or the content of its file without the last line break. Throws `ConfigError`,
 * which does not contain the value, if both are set or the file cannot be read.
 */
export function readSettingText(env: NodeJS.ProcessEnv, { variable, fileVariable }: Variables): string | undefined {
  const text = readVariable(env, variable)
  const file = fileVariable === undefined ? undefined : readVariable(env, fileVariable)
  if (file === undefined) return text
  if (text !== undefined) throw new ConfigError(`${variable} and ${fileVariable} are both set: remove one of them`)
  let content: string
  try {
    content = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new ConfigError(`${fileVariable} ${file} cannot be read: ${getErrorMessage(error)}`, { cause: error })
  }
  if (content === '') throw new ConfigError(`${fileVariable} ${file} is empty`)
  return content
}
