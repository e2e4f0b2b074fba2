/** A line on the terminal that tells how far an import is; silent where nobody watches. */
export interface Progress {
  /** More of the file has been read. */
  bytes(count: number): void
  /** So many records have been written. */
  records(count: number): void
  end(): void
}

const width = 30
const pauseMilliseconds = 100

/** `size` in bytes, or undefined for what comes through a pipe. */
export function createProgress(terminal: NodeJS.WriteStream, size: number | undefined): Progress {
  if (!terminal.isTTY) return { bytes: () => {}, records: () => {}, end: () => {} }
  const started = performance.now()
  let read = 0
  let drawn = Number.NEGATIVE_INFINITY
  return {
    bytes: (count) => void (read += count),
    records(count) {
      const now = performance.now()
      if (now - drawn < pauseMilliseconds) return
      drawn = now
      const rate = Math.round((count / (now - started)) * 1000)
      terminal.write(`\r${bar(read, size)}  ${count.toLocaleString('en')} records  ${rate.toLocaleString('en')}/s \u001b[K`)
    },
    end: () => void (Number.isFinite(drawn) && terminal.write('\r\u001b[K')),
  }
}

function bar(read: number, size: number | undefined): string {
  if (!size) return `${(read / 1024 / 1024).toFixed(1)} MiB`
  const share = Math.min(read / size, 1)
  const full = Math.round(share * width)
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${String(Math.floor(share * 100)).padStart(3)} %`
}
