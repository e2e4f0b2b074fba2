import { builtinModules } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'esbuild'
import { projectFolder } from '../files.ts'

/**
 * Loads the modules of Node by `require`. An import reads all exports of a module, and some exports load more code: those of `node:http` load
 * `fetch`, and those of `node:util` load worker threads.
 */
export const nodeModules: Plugin = {
  name: 'node-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ kind, path: specifier }) => {
      const name = specifier.replace(/^node:/, '')
      return kind === 'import-statement' && builtinModules.includes(name) ? { path: name, namespace: 'node-modules' } : null
    })
    onLoad({ filter: /^/, namespace: 'node-modules' }, ({ path: name }) => {
      const names = Object.keys(process.getBuiltinModule(`node:${name}`) ?? {}).filter(
        (each) => /^[a-z]\w*$/i.test(each) && each !== 'default',
      )
      // The bundler omits those that are not used.
      const constants = names.map((each) => `export const ${each} = /* @__PURE__ */ (() => builtin.${each})()`)
      return { contents: [`const builtin = require('node:${name}')`, ...constants, 'export default builtin'].join('\n') }
    })
  },
}

/** The file that imports all code of the service, except the code that is loaded on demand. */
const service = path.join(projectFolder, 'src/service/service.ts')

/** Files that load the service or another program of a process. */
const launchers = new Set(['src/main.ts', 'src/service/start.ts', 'src/service/primary.ts'].map((file) => path.join(projectFolder, file)))

/**
 * Adds an import of the service to every file that the service loads on demand, which changes nothing when the file is loaded. The bundler
 * puts code that different sets of entry points need into different files. With this import, all code of the service is needed by the same
 * set, so it is one file instead of 24. These files have no default export.
 */
export const oneService: Plugin = {
  name: 'one-service',
  setup({ resolve, onResolve, onLoad }) {
    onResolve({ filter: /^/ }, async ({ kind, importer, path: specifier, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === service || launchers.has(importer)) return null
      const resolved = await resolve(specifier, { kind, importer, resolveDir, pluginData: service })
      return resolved.external || resolved.errors.length > 0 ? resolved : { path: resolved.path, namespace: 'on-demand' }
    })
    onLoad({ filter: /^/, namespace: 'on-demand' }, ({ path: file }) => ({
      contents: `import ${JSON.stringify(service)}\nexport * from ${JSON.stringify(file)}`,
      resolveDir: projectFolder,
    }))
  },
}
