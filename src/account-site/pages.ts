import type { Download, Page } from './declaration.ts'
import { home } from './home.ts'
import { invoice, invoiceFile } from './invoices/invoice.tsx'
import { invoices } from './invoices/invoices.tsx'
import { authenticator } from './security/authenticator.tsx'
import { newPasskey } from './security/new-passkey.tsx'
import { security } from './security/security.tsx'
import { confirm } from './sign-in/confirm.tsx'
import { secondFactor } from './sign-in/second-factor.tsx'
import { signIn } from './sign-in/sign-in.tsx'

/** Every page of the account site. */
export const pages: readonly Page[] = [
  home,
  // Signing in.
  signIn,
  secondFactor,
  // What a team is charged.
  invoices,
  invoice,
  // What people sign in with, and where.
  security,
  authenticator,
  newPasskey,
  confirm,
]

/** Every file that can be loaded from it. */
export const downloads: readonly Download[] = [invoiceFile]
