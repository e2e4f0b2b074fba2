import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectFolder } from '../../schema/core/project-folder.ts'

/** A program that receives the deliveries of a webhook and verifies them. A test runs each program with real deliveries. */
export interface Sample {
  language: string
  /** The name of the language in Markdown. */
  syntax: string
  file: string
  code: string
}

const sources = [
  { language: 'Node.js', syntax: 'js', file: 'receiver.mjs' },
  { language: 'Python', syntax: 'python', file: 'receiver.py' },
  { language: 'PHP', syntax: 'php', file: 'receiver.php' },
  { language: 'Go', syntax: 'go', file: 'receiver.go' },
] as const

/** The folder with the programs. */
export const samplesFolder = path.join(projectFolder, 'rest-facade', 'openapi', 'samples')

let samples: readonly Sample[] | undefined

/** Returns the text of a program in the folder. */
export const readSample = (file: string): string => readFileSync(path.join(samplesFolder, file), 'utf8').trimEnd()

const read = (source: (typeof sources)[number]): Sample => ({ ...source, code: readSample(source.file) })

/** Reads the programs once and returns them. */
export const readSamples = (): readonly Sample[] => (samples ??= sources.map(read))
