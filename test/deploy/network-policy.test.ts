import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { projectFolder } from '../../schema/core/project-folder.ts'

const read = (file: string) => readFileSync(path.join(projectFolder, 'deploy', file), 'utf8')

describe('the network policy', () => {
  const { spec } = parse(read('kubernetes/network-policy.yaml'))

  test('applies to every pod of the manifests, and names ports that they have', () => {
    const templates = ['deployment.yaml', 'migrate.yaml'].map((file) => parse(read(`kubernetes/${file}`)).spec.template)
    const [{ values }] = spec.podSelector.matchExpressions
    expect(templates.map(({ metadata }) => metadata.labels['app.kubernetes.io/component'])).toEqual(values)
    const ports: string[] = templates.flatMap(({ spec: { containers } }) => containers[0].ports ?? []).map(({ name }) => name)
    expect(spec.ingress.flatMap((rule: { ports: { port: string }[] }) => rule.ports.map(({ port }) => port))).toEqual(ports)
  })

  test('lets only Prometheus read metrics, and nothing reach what gives away credentials of a cloud', () => {
    expect(spec.ingress.find(({ ports }: any) => ports[0].port === 'metrics').from).toHaveLength(1)
    const blocks = spec.egress.flatMap(({ to }: any) => to.flatMap(({ ipBlock }: any) => ipBlock ?? []))
    expect(blocks.map(({ except }: any) => except)).toEqual([
      ['169.254.169.254/32', '169.254.170.2/32', '169.254.170.23/32'],
      ['fd00:ec2::254/128', 'fd00:ec2::23/128'],
    ])
  })
})
