import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { projectFolder } from '../../schema/core/project-folder.ts'

const packageFile = z.object({ version: z.string() })

/** Returns the version of the service, from its package.json. */
export const readVersion = async (): Promise<string> =>
  packageFile.parse(JSON.parse(await readFile(path.join(projectFolder, 'package.json'), 'utf8'))).version
