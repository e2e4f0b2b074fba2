import { z } from 'zod'

interface Manifest {
  apiVersion: string
  kind: string
}

/** What a PodMonitor may contain here, of its schema in the API reference of the Prometheus Operator. */
const podMonitor = z.strictObject({
  apiVersion: z.literal('monitoring.coreos.com/v1'),
  kind: z.literal('PodMonitor'),
  metadata: z.strictObject({ name: z.string(), labels: z.record(z.string(), z.string()).optional() }),
  spec: z.strictObject({
    selector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
    podMetricsEndpoints: z.array(
      z.strictObject({
        port: z.string(),
        path: z.string().optional(),
        interval: z.string().regex(/^\d+(ms|s|m)$/),
        relabelings: z.array(z.strictObject({ targetLabel: z.string(), replacement: z.string() })).optional(),
      }),
    ),
  }),
})

/**
 * Compares a manifest with the schema of Kubernetes. Returns the errors. The validator ignores unknown properties, so they are found as
 * the properties that it does not read.
 */
export async function checkManifest(manifest: Manifest): Promise<string[]> {
  if (manifest.kind === 'PodMonitor')
    return podMonitor.safeParse(manifest).error?.issues.map(({ path, message }) => `/${path.join('/')} ${message}`) ?? []
  const module = `kubernetes-models/${manifest.apiVersion}/${manifest.kind}`
  const { [manifest.kind]: Model } = await import(module)
  const unread = new Set<string>()
  try {
    Model.prototype.validate.call(recordReads(manifest, '', unread))
    return [...unread].map((property) => `${property} is unknown`)
  } catch (error) {
    return [String(error)]
  }
}

/** Returns a copy that removes the path of each property from `unread` when it is read. */
function recordReads(value: unknown, at: string, unread: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((item, index) => recordReads(item, `${at}/${index}`, unread))
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<PropertyKey, unknown> = {}
  for (const [key, child] of Object.entries(value)) {
    unread.add(`${at}/${key}`)
    copy[key] = recordReads(child, `${at}/${key}`, unread)
  }
  return new Proxy(copy, {
    get(target, key) {
      unread.delete(`${at}/${String(key)}`)
      return target[key]
    },
  })
}
