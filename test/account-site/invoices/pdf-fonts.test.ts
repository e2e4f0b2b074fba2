import { expect, test } from 'vitest'
import { invoicePdf } from '../../../src/account-site/invoices/pdf/invoice-pdf.ts'
import { linesOf, readPdf } from '../../support/data/pdf.ts'
import { issuer, line, printedTeam } from '../../support/data/printed-invoice.ts'

test.each(['カタカナ ひらがな', '한국어 주식회사', 'አማርኛ', 'Ünï Ελληνικά Русский'])(
  'shows %s in letters, on one baseline with the rest of the line',
  async (name) => {
    const bytes = await invoicePdf(printedTeam({ name: `${name} ltd` }), issuer)
    const lines = readPdf(bytes).pages.flatMap(linesOf)
    expect(lines[2]?.replaceAll(/[ |]/g, '')).toBe(`ExampleLtd${name.replaceAll(' ', '')}ltd`)
  },
)

test.each([
  ['北京科技有限公司（臺灣）', 'NotoSansHans-Regular'],
  ['東京カ', 'NotoSansJP-Regular'],
  ['한국어', 'NotoSansKR-Regular'],
  ['ประเทศไทย น้ำ', 'NotoSansThai'],
  ['नमस्ते क्षत्रिय', 'NotoSansDevanagari'],
  ['বাংলা শ্রী', 'NotoSansBengali'],
  ['ਪੰਜਾਬੀ', 'NotoSansGurmukhi'],
  ['ગુજરાતી', 'NotoSansGujarati'],
  ['தமிழ்', 'NotoSansTamil'],
  ['తెలుగు', 'NotoSansTelugu'],
  ['ಕನ್ನಡ', 'NotoSansKannada'],
  ['മലയാളം', 'NotoSansMalayalam'],
  ['සිංහල', 'NotoSansSinhala'],
  ['ភាសាខ្មែរ', 'NotoSansKhmer'],
  ['မြန်မာ', 'NotoSansMyanmar'],
  ['ދިވެހި', 'NotoSansThaana'],
  ['العربية שלום', 'DejaVuSans'],
])('shows %s in the font %s', async (description, font) => {
  const bytes = await invoicePdf(printedTeam({ lines: [line({ description })] }), issuer)
  expect(Array.from(bytes.toString('latin1').matchAll(/\/FontName \/\w+\+([\w-]+)/g), ([, name]) => name).join()).toContain(font)
})
