import path from 'node:path'
import { projectFolder } from '../../schema/core/project-folder.ts'

/** A program with its arguments. It runs in a folder that contains `openapi.json`, `openapi-3.0.json` and the driver. */
export type Command = readonly [program: string, ...options: string[]]

/** How a client of the REST API is generated and compiled, and how the program that drives a service through it is run. */
export interface Language {
  name: string
  /** A file of `drivers/`. */
  driver: string
  /** The Debian packages of the compiler or interpreter, and of the libraries that the client uses. */
  debianPackages: readonly string[]
  /** Succeeds if they are installed. */
  probe: Command
  generate: Command
  compile: readonly Command[]
  run: Command
  env?: Readonly<Record<string, string>>
}

/** The programs of `package.json`. */
export const programsFolder = path.join(projectFolder, 'test', 'generated-clients', 'node_modules')
export const findProgram = (file: string): string => path.join(programsFolder, file)
const jar = findProgram('@openapitools/openapi-generator-cli/bin/openapi-generator.jar')

/** Returns the command of openapi-generator for a language. */
const openApiGenerator = (language: string, file = jar, ...options: string[]): Command => {
  // Without the optimizing compiler, Java generates a client twice as fast.
  const java = ['java', '-XX:TieredStopAtLevel=1', '-jar', file] as const
  return [...java, 'generate', '-i', 'openapi-3.0.json', '-g', language, '-o', 'client', ...options]
}

/** Returns the commands that check the types of a driver, and bundle it for Node. */
const typescript = (file: string): readonly Command[] => {
  const types = ['--types', 'node', '--typeRoots', path.join(projectFolder, 'node_modules', '@types')]
  const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'esnext', '--moduleResolution', 'bundler', ...types]
  return [
    ['node', findProgram('typescript/bin/tsc'), ...options, file],
    ['esbuild', file, '--bundle', '--platform=node', '--format=esm', '--outfile=driver.mjs', '--log-level=warning'],
  ]
}

const goPath = { GO111MODULE: 'off', GOPATH: `${path.delimiter}/usr/share/gocode`, GOFLAGS: '' }
// Loads every class, as Composer would.
const phpLoader = `spl_autoload_register(fn($class) => require 'client/lib/' . strtr(substr($class, 15), '\\\\', '/') . '.php');
  foreach (glob('client/lib/{,*/}*.php', GLOB_BRACE) as $file) {
    $class = 'OpenAPI\\\\Client\\\\' . strtr(substr($file, 11, -4), '/', '\\\\');
    class_exists($class) || interface_exists($class) || exit("$class does not exist");
  }`

export const languages: readonly Language[] = [
  {
    name: 'TypeScript, Hey API',
    driver: 'hey-api.ts',
    debianPackages: [],
    probe: ['node', '--version'],
    generate: ['node', findProgram('@hey-api/openapi-ts/bin/run.js'), '-i', 'openapi.json', '-o', 'client'],
    compile: typescript('hey-api.ts'),
    run: ['node', 'driver.mjs'],
  },
  {
    name: 'TypeScript, openapi-fetch',
    driver: 'openapi-fetch.ts',
    debianPackages: [],
    probe: ['node', '--version'],
    generate: ['node', findProgram('openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'schema.d.ts'],
    compile: typescript('openapi-fetch.ts'),
    run: ['node', 'driver.mjs'],
  },
  {
    name: 'Python',
    driver: 'driver.py',
    debianPackages: ['python3-urllib3', 'python3-dateutil', 'python3-certifi', 'python3-six'],
    // The interpreter that finds Debian's packages, if there are others.
    probe: ['/usr/bin/python3', '-c', 'import urllib3, dateutil, certifi, six'],
    generate: openApiGenerator('python'),
    compile: [['/usr/bin/python3', '-m', 'compileall', '-q', 'client/openapi_client']],
    run: ['/usr/bin/python3', 'driver.py'],
    env: { PYTHONPATH: 'client' },
  },
  {
    name: 'Java',
    driver: 'Driver.java',
    debianPackages: ['default-jdk-headless'],
    probe: ['javac', '--version'],
    generate: openApiGenerator('java', jar, '--library', 'native', '-p', 'dateLibrary=java8,openApiNullable=false'),
    // The file of the generator contains Jackson and the annotations that the client uses.
    compile: [
      [
        'sh',
        '-c',
        `javac -J-XX:TieredStopAtLevel=1 -proc:none -nowarn -d . -cp '${jar}' $(find client/src/main Driver.java -name '*.java')`,
      ],
    ],
    run: ['java', '-XX:TieredStopAtLevel=1', '-cp', `.:${jar}`, 'Driver'],
  },
  {
    name: 'PHP',
    driver: 'driver.php',
    debianPackages: ['php-cli', 'php-curl', 'php-mbstring', 'php-guzzlehttp-guzzle'],
    probe: ['php', '-r', "require 'GuzzleHttp/autoload.php'; exit(extension_loaded('curl') && extension_loaded('mbstring') ? 0 : 1);"],
    generate: openApiGenerator('php'),
    compile: [['php', '-d', 'error_reporting=8191', '-r', phpLoader]],
    run: ['php', 'driver.php'],
  },
  {
    name: 'Ruby',
    driver: 'driver.rb',
    debianPackages: ['ruby', 'ruby-typhoeus'],
    probe: ['ruby', '-e', "require 'typhoeus'"],
    generate: openApiGenerator('ruby'),
    compile: [['ruby', '-W0', '-Iclient/lib', '-e', "require 'openapi_client'"]],
    run: ['ruby', '-W0', '-Iclient/lib', 'driver.rb'],
  },
  {
    name: 'Go',
    driver: 'driver.go',
    debianPackages: ['golang-go', 'golang-golang-x-oauth2-dev'],
    probe: ['go', 'list', 'golang.org/x/oauth2'],
    // The Go client of 5.0.0-beta2 lacks the models. That of 4.3.1, called experimental there, is the one that later versions call go.
    generate: openApiGenerator(
      'go-experimental',
      findProgram('openapi-generator-cli-4/bin/openapi-generator.jar'),
      '-p',
      'enumClassPrefix=true',
    ),
    compile: [
      ['sh', '-c', 'mkdir -p src && ln -s ../client src/openapi'],
      ['sh', '-c', 'GOPATH="$PWD$GOPATH" go build -o driver driver.go'],
    ],
    run: ['./driver'],
    env: goPath,
  },
]
