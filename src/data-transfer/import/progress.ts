/** A progress line on a terminal. */
export interface Progress {
  /** Reports that `count` more bytes were read. */
  bytes(count: number): void
  /** Reports the total number of records written. */
  records(count: number): void
  end(): void
}

const width = 30
const pauseMilliseconds = 100

/** Shows nothing if the output is not a terminal. `size` is in bytes, undefined for a pipe; `now` is in milliseconds. */
export function createProgress(
  terminal: { isTTY?: boolean; write(text: string): unknown },
  size: number | undefined,
  now = () => performance.now(),
): Progress {
  if (!terminal.isTTY) return { bytes: () => {}, records: () => {}, end: () => {} }
  const started = now()
  let read = 0
  let drawn = Number.NEGATIVE_INFINITY
  return {
    bytes: (count) => void (read += count),
    records(count) {
      const at = now()
      if (at - drawn < pauseMilliseconds) return
      drawn = at
      const rate = Math.round((count / (at - started)) * 1000)
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
