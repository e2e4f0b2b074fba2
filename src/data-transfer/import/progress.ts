/** A progress line on a terminal. */
export interface Progress {
  /** Reports that `count` more bytes were read. */
  bytes(count: number): void
  /** Reports the total number of records written. */
  records(count: number): void
  end(): void
}

const maxWidth = 30
const pauseMilliseconds = 100

/**
 * Shows the share of the file, the records written, their rate and the time left, at the speed so far. Shows nothing if the output is not a
 * terminal. `size` is in bytes, undefined for a pipe; `now` is in milliseconds.
 */
export function createProgress(
  terminal: { isTTY?: boolean; columns?: number; write(text: string): unknown },
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
      const elapsed = at - started
      const rate = Math.round((count / elapsed) * 1000)
      const written = `${count.toLocaleString('en')} records  ${rate.toLocaleString('en')}/s`
      if (!size) return void terminal.write(`\r${(read / 1024 / 1024).toFixed(1)} MiB  ${written} \u001b[K`)
      const share = Math.min(read / size, 1)
      const left = ` ${String(Math.floor(share * 100)).padStart(3)} %  ${written}  ETA ${duration((elapsed * (1 - share)) / share)} `
      // A line that is longer than the terminal would leave a part of itself behind.
      const space = (terminal.columns || 80) - 1
      terminal.write(`\r${(bar(share, space - left.length) + left).slice(0, space)}\u001b[K`)
    },
    end: () => void (Number.isFinite(drawn) && terminal.write('\r\u001b[K')),
  }
}

function bar(share: number, space: number): string {
  const width = Math.min(maxWidth, space - 2)
  if (width < 1) return ''
  const full = Math.round(share * width)
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`
}

/** Formats a duration as `0:07`, `12:30` or `1:02:03`. */
function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const parts = hours > 0 ? [hours, String(minutes).padStart(2, '0')] : [minutes]
  return [...parts, String(seconds % 60).padStart(2, '0')].join(':')
}
