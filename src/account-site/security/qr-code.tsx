import { encode } from 'uqr'

/** A QR code as SVG. It is black on white in the dark theme too, because some cameras cannot read an inverted code. */
export function QrCode({ of, label }: { of: string; label: string }) {
  const { size, data } = encode(of, { border: 4 })
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.join('')} fill="#000" />
    </svg>
  )
}
