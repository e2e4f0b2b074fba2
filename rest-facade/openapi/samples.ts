import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectFolder } from '../../schema/core/project-folder.ts'

/** A program that a guide shows. A test runs each. */
export interface Sample {
  language: string
  /** The name of the language in Markdown. */
  syntax: string
  file: string
  code: string
}

type Source = Omit<Sample, 'code'>

/** Programs that receive the deliveries of a webhook and verify them. */
const receivers: readonly Source[] = [
  { language: 'Node.js', syntax: 'js', file: 'receiver.mjs' },
  { language: 'Python', syntax: 'python', file: 'receiver.py' },
  { language: 'PHP', syntax: 'php', file: 'receiver.php' },
  { language: 'Go', syntax: 'go', file: 'receiver.go' },
]

/** Programs that read all pages of a list, and repeat requests that are refused or fail. */
export const listPrograms: readonly Source[] = [
  { language: 'Node.js', syntax: 'js', file: 'members/members.mjs' },
  { language: 'Python', syntax: 'python', file: 'members/members.py' },
  { language: 'Ruby', syntax: 'ruby', file: 'members/members.rb' },
  { language: 'PHP', syntax: 'php', file: 'members/members.php' },
  { language: 'Java', syntax: 'java', file: 'members/Members.java' },
  { language: 'Go', syntax: 'go', file: 'members/members.go' },
]

/** The folder with the programs. */
export const samplesFolder = path.join(projectFolder, 'rest-facade', 'openapi', 'samples')

let samples: readonly Sample[] | undefined

/** Returns the text of a program in the folder. */
export const readSample = (file: string): string => readFileSync(path.join(samplesFolder, file), 'utf8').trimEnd()

/** Returns the programs with their texts. */
export const readPrograms = (sources: readonly Source[]): readonly Sample[] =>
  sources.map((source) => ({ ...source, code: readSample(source.file) }))

/** Reads the receivers of deliveries once and returns them. */
export const readSamples = (): readonly Sample[] => (samples ??= readPrograms(receivers))
