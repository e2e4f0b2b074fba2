import { returnOf } from '../../web/return-address.ts'
import { secondFactorAt } from '../../web/page-paths.ts'
import type { PageContext } from '../framework/page-context.ts'

/** The page after a sign-in step: the second factor if the account requires one, else the return address. */
export const nextPage = ({ isSignedIn }: { isSignedIn: boolean }, ctx: PageContext): string =>
  isSignedIn ? returnOf(ctx) : secondFactorAt(returnOf(ctx))
