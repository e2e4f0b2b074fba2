export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** Parses metrics in the text format of Prometheus. */
export function parseMetrics(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name === undefined) throw new Error(`not a sample: ${line}`)
    const pairs = Array.from(labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, label = '', text = '']) => [label, text] as const)
    return { name, labels: Object.fromEntries(pairs), value: Number(value) }
  })
}
