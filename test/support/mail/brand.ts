import type { Brand } from '../../../src/web/brand/brand.ts'

/** A company with every setting, except a logo. */
export const brand: Brand = {
  name: 'Acme Cloud',
  color: '#1d55c4',
  support: 'help@acme.example',
  termsUrl: 'https://acme.example/terms',
  privacyUrl: 'https://acme.example/privacy',
  legalName: 'Acme Ltd',
  address: ['1 Main Street', 'Springfield'],
  paymentText: ['IBAN DE00 1234'],
  logo: undefined,
}

/** What follows the text of a mail in plain text. */
export const footerOf = (reason: string): string =>
  [
    '-- ',
    'Acme Cloud',
    `You received this email because ${reason}.`,
    'Support: help@acme.example',
    'Terms: https://acme.example/terms',
    'Privacy: https://acme.example/privacy',
    'Acme Ltd, 1 Main Street, Springfield',
  ].join('\n')
