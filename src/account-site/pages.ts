import type { Download, Page } from './declaration.ts'
import { home } from './home.ts'
import { confirm } from './sign-in/confirm.tsx'
import { signIn } from './sign-in/sign-in.tsx'

/** Every page of the account site. */
export const pages: readonly Page[] = [
  home,
  // Signing in.
  signIn,
  confirm,
]

/** Every file that can be loaded from it. */
export const downloads: readonly Download[] = []
