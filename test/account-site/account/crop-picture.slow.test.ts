import { describe, expect, test } from 'vitest'
import { browserFile, createHalves, dragPicture, dropFile, savePicture } from '../../support/browser/crop.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { expectAccessibleInBothThemes, expectFitsResized, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { imageBytes } from '../../support/data/pictures.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// The picture of a person and the logo of a team are cropped in the browser before they are sent.

const service = useService()
const { database } = service
const chromium = useChromium()

/** Opens the profile of a new user, or the settings of their team. */
async function open(kind: 'profile' | 'team', options?: Parameters<typeof openTab>[2]) {
  const user = await createPerson(database)
  const team = await createTeam(database)
  await join(database, team, user, 'owner')
  const tab = await openTab(chromium, service, options)
  await signInAt(tab, service, user.email)
  const path = kind === 'profile' ? '/account' : `/teams/${team.slug}/settings`
  await tab.page.goto(service.url + path)
  const field = tab.page.locator('input[type=file]')
  const area = tab.page.getByRole('application')
  const choose = async (buffer?: Buffer) => {
    await field.setInputFiles(browserFile(buffer ?? (await createHalves())))
    await area.waitFor()
  }
  return { ...tab, tab, field, area, choose }
}

const ends: [number, number][] = [
  [0.1, 0.5],
  [0.9, 0.5],
]

describe('a picture that is chosen', () => {
  test('is saved as it is shown, with its center in the circle', async () => {
    const profile = await open('profile')
    await profile.choose()
    expect(await savePicture(profile, ends)).toEqual(['red', 'blue'])
    expect(profile.complaints).toEqual([])
  })

  test('is saved as far as it was moved with the mouse, up to its edge', async () => {
    const profile = await open('profile')
    await profile.choose()
    await dragPicture(profile.page, 1000)
    expect(await savePicture(profile, ends)).toEqual(['red', 'red'])
  })

  test('is moved with the arrow keys and enlarged with the keyboard alone', async () => {
    const profile = await open('profile')
    await profile.choose()
    await profile.area.focus()
    for (let press = 0; press < 40; press++) await profile.page.keyboard.press('ArrowLeft')
    await profile.page.keyboard.press('Tab')
    expect(await profile.page.evaluate('document.activeElement.type')).toBe('range')
    await profile.page.keyboard.press('End')
    expect(await savePicture(profile, ends)).toEqual(['blue', 'blue'])
  })

  test('is no longer sent after Cancel', async () => {
    const profile = await open('profile')
    await profile.choose()
    await profile.page.getByRole('button', { name: 'Cancel' }).click()
    expect(await profile.area.isVisible()).toBe(false)
    await profile.page.getByRole('button', { name: 'Save' }).click()
    await profile.page.getByText('Your profile was saved.').waitFor()
    expect(await profile.page.locator('main img.avatar.large').count()).toBe(0)
  })

  test('fits the page, and is accessible, at each width', async () => {
    for (const viewport of Object.values(sizes)) {
      const profile = await open('profile', { viewport })
      await profile.choose()
      await expectFitsResized(profile.page)
      await expectAccessibleInBothThemes(profile.page)
    }
  })
})

describe('a logo that is chosen', () => {
  test('is shown completely, on white, until it is enlarged', async () => {
    const settings = await open('team')
    await settings.choose()
    expect(await savePicture(settings, [...ends, [0.5, 0.1], [0.5, 0.9]])).toEqual(['red', 'blue', 'white', 'white'])
    await settings.choose()
    await settings.page.getByLabel('Zoom').fill('2')
    await dragPicture(settings.page, 1000)
    expect(await savePicture(settings, [...ends, [0.5, 0.1], [0.5, 0.9]])).toEqual(['red', 'red', 'red', 'red'])
    expect(settings.complaints).toEqual([])
  })
})

describe('a file that is dropped', () => {
  test('is cropped and saved like a chosen one', async () => {
    const profile = await open('profile')
    await profile.page.getByText('You can also drop a file here.').waitFor()
    await dropFile(profile, browserFile(await createHalves()))
    await profile.area.waitFor()
    await dragPicture(profile.page, -1000)
    expect(await savePicture(profile, ends)).toEqual(['blue', 'blue'])
  })

  test('is refused at once if its type is wrong or it is too large', async () => {
    const profile = await open('profile')
    const large = Buffer.concat([await imageBytes('jpeg'), Buffer.alloc(5 * 1024 * 1024)])
    for (const [file, message] of [
      [browserFile(Buffer.from('<svg/>'), 'me.svg', 'image/svg+xml'), 'Picture must be a JPEG, PNG or WebP file.'],
      [browserFile(large, 'me.jpg', 'image/jpeg'), 'Picture must be a file of at most 5 MB.'],
    ] as const) {
      await dropFile(profile, file)
      expect(await profile.page.getByRole('alert').textContent()).toBe(message)
      expect([await profile.field.inputValue(), await profile.area.isVisible()]).toEqual(['', false])
    }
    await profile.choose()
    expect(await profile.page.getByRole('alert').count()).toBe(0)
  })
})

test('a file that the browser cannot show is sent, and the server says what is wrong', async () => {
  const profile = await open('profile')
  await profile.field.setInputFiles(browserFile(Buffer.from('text')))
  await profile.page.getByRole('button', { name: 'Save' }).click()
  await profile.page.locator('#field-picture-wrong').waitFor()
  expect(await profile.page.getByRole('alert').textContent()).toBe('Picture must be a JPEG, PNG or WebP file.')
})

test('without JavaScript, a file is sent as it is, and nothing of the crop is shown', async () => {
  const profile = await open('profile', { javaScriptEnabled: false })
  await profile.field.setInputFiles(browserFile(await createHalves()))
  expect(await profile.page.getByLabel('Zoom').isVisible()).toBe(false)
  expect(await profile.page.getByText('You can also drop a file here.').isVisible()).toBe(false)
  expect(await savePicture(profile, ends)).toEqual(['red', 'blue'])
})
