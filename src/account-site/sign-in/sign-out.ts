import { z } from 'zod'
import { signInPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'

/** Ends the session. Every page of a signed-in user has this form. */
export const signOut = form({
  fields: z.object({}),
  notice: 'You signed out.',
  async submit(_, { site, request, response }) {
    await site.sessions.signOut(request, response)
    return signInPath
  },
})
