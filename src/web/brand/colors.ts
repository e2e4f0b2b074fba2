// Shades of the brand's colour that have enough contrast in both themes.

type Rgb = readonly [number, number, number]

const parse = (color: string): Rgb => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
  return [red, green, blue]
}
const format = (rgb: Rgb) => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Returns the relative luminance of a colour (WCAG 2.2). */
function calculateLuminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => (part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast of two colours, from 1 to 21. */
function calculateContrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [calculateLuminance(parse(one)), calculateLuminance(parse(other))].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const mix = (color: string, target: string, share: number): string => {
  const [from, to] = [parse(color), parse(target)]
  const part = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share
  return format([part(0), part(1), part(2)])
}

const minContrast = 5.5

/** Returns the colour itself, or the nearest shade towards `target` that is readable on `background`. */
function readable(color: string, background: string, target: string): string {
  const shades = Array.from({ length: 51 }, (_, step) => mix(color, target, step / 50))
  return shades.find((shade) => calculateContrast(shade, background) >= minContrast) ?? target
}

/** Contrast of the white text on a button in the dark theme. The colour of the button is then as light as possible. */
const minOnFill = 4.6

/** Returns the lightest shade of the colour on which white text is readable: on a dark page, a darker button would look disabled. */
function lightestFill(color: string): string {
  const shades = [
    ...Array.from({ length: 50 }, (_, step) => mix(color, '#ffffff', (50 - step) / 50)),
    ...Array.from({ length: 51 }, (_, step) => mix(color, '#000000', step / 50)),
  ]
  return shades.find((shade) => calculateContrast(shade, '#ffffff') >= minOnFill) ?? '#000000'
}

/** Returns the accent colour of text in each theme, and the colour of buttons, whose text is white. */
export function deriveAccents(color: string) {
  const light = readable(color, '#f6f7f9', '#000000')
  const dark = readable(color, '#22262f', '#ffffff')
  const fill = lightestFill(color)
  return {
    light,
    lightStrong: mix(light, '#000000', 0.25),
    dark,
    darkStrong: mix(dark, '#ffffff', 0.35),
    fill,
    fillStrong: mix(fill, '#000000', 0.2),
  }
}

/** Returns the rules of the stylesheet that depend on the brand. */
export function brandStyles(color: string): string {
  const { light, lightStrong, dark, darkStrong, fill, fillStrong } = deriveAccents(color)
  return `:root{--accent:light-dark(${light},${dark});--accent-strong:light-dark(${lightStrong},${darkStrong});--fill:light-dark(${light},${fill});--fill-strong:light-dark(${lightStrong},${fillStrong});--brand:${light};--brand-strong:${lightStrong}}`
}
