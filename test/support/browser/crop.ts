import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { evaluateInPage } from './tab.ts'
import type { Tab } from './tab.ts'

// What a user does with the field for a picture, and the colours of the picture that is stored.

const colors = { red: '#ff0000', white: '#ffffff', blue: '#0000ff' }

/** A picture of 800 × 400 pixels, red on the left and blue on the right. */
export async function createHalves(): Promise<Buffer> {
  const half = { width: 400, height: 400, channels: 3 as const }
  return sharp({ create: { ...half, width: 800, background: colors.blue } })
    .composite([{ input: { create: { ...half, background: colors.red } }, left: 0, top: 0 }])
    .png()
    .toBuffer()
}

/** A file as a file field of the browser takes it. */
export const browserFile = (buffer: Buffer, name = 'halves.png', mimeType = 'image/png') => ({ name, mimeType, buffer })

/** Saves the form and returns the colours of the stored picture at these points, from 0 to 1. */
export async function savePicture({ page }: Pick<Tab, 'page'>, points: readonly [x: number, y: number][]): Promise<string[]> {
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/ (was|were) saved\./).waitFor()
  const { origin } = new URL(page.url())
  const path = await page.locator('main img.avatar.large').getAttribute('src')
  const response = await fetch(origin + path)
  const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true })
  return points.map(([x, y]) => {
    const at = (Math.round(y * (info.height - 1)) * info.width + Math.round(x * (info.width - 1))) * info.channels
    const pixel = [...data.subarray(at, at + 3)]
    const isNear = (color: string) =>
      pixel.every((value, part) => Math.abs(value - Number.parseInt(color.slice(1 + 2 * part, 3 + 2 * part), 16)) < 40)
    return Object.entries(colors).find(([, color]) => isNear(color))?.[0] ?? pixel.join(' ')
  })
}

/** Drags the visible part of the picture to the right, by a number of pixels that can be negative. */
export async function dragPicture(page: Page, by: number) {
  const box = await page.getByRole('application').boundingBox()
  if (!box) throw new Error('the area is not visible')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + by, y, { steps: 4 })
  await page.mouse.up()
}

/** Drops a file on the field, as from a file manager. */
export const dropFile = async ({ page }: Pick<Tab, 'page'>, { name, mimeType, buffer }: ReturnType<typeof browserFile>) =>
  evaluateInPage(
    page,
    ({ document, DataTransfer, DragEvent, File, Uint8Array, atob }, { name, mimeType, text }: any) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([Uint8Array.from(atob(text), (character: any) => character.charCodeAt(0))], name, { type: mimeType }))
      const target = document.querySelector('.picture')
      for (const type of ['dragenter', 'dragover', 'drop'])
        target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    },
    { name, mimeType, text: buffer.toString('base64') },
  )
