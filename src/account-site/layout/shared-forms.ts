import { z } from 'zod'
import { saveTheme, themeField } from '../../web/brand/look.ts'
import { form } from '../framework/form.ts'
import { signInPath } from '../../web/page-paths.ts'

/** Stores the chosen theme in this browser. Every page of a signed-in user has this form. */
export const chooseTheme = form({
  fields: z.object({ theme: themeField }),
  submit({ theme }, { site, response }) {
    saveTheme(response, theme, site.authUrl.startsWith('https:'))
  },
})

/** Ends the session. Every page of a signed-in user has this form. */
export const signOut = form({
  fields: z.object({}),
  notice: 'You signed out.',
  async submit(_, { site, request, response }) {
    await site.sessions.signOut(request, response)
    return signInPath
  },
})
