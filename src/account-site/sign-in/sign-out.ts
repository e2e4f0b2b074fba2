import { z } from 'zod'
import { signInPath } from '../addresses.ts'
import { form } from '../declaration.ts'

/** Ends the session; every page of somebody who is signed in has this form. */
export const signOut = form({
  fields: z.object({}),
  notice: 'You are signed out.',
  async work(_, { site, request, response }) {
    await site.sessions.signOut(request, response)
    return signInPath
  },
})
