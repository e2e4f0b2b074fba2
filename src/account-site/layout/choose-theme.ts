import { z } from 'zod'
import { saveTheme, themeField } from '../../web/brand/theme.ts'
import { form } from '../framework/form.ts'

/** Keeps the chosen theme in this browser. Every page of a signed-in user has this form. */
export const chooseTheme = form({
  fields: z.object({ theme: themeField }),
  submit({ theme }, { site, response }) {
    saveTheme(response, theme, site.authUrl.startsWith('https:'))
  },
})
