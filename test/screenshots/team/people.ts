import type { Application, Role } from '../../../prisma/generated/client/enums.ts'

export interface Person {
  name: string
  email: string
  role: Role
  /** The products that a member may use; null for all. */
  products: Application[] | null
  /** For how many days they have been a member. */
  memberFor: number
}

export const teamSlug = 'northwind'

/** Those through whose eyes the pages are shown, one of each role. */
export const owner = { name: 'Mara Lindqvist', email: 'mara@northwind.example' }
export const billing = { name: 'Jonas Weber', email: 'jonas.weber@northwind.example' }
export const member = { name: 'Aiko Tanaka', email: 'aiko.tanaka@northwind.example' }
/** Signed up an hour ago and is a member of no team. */
export const newcomer = { name: 'Priya Nair', email: 'priya.nair@fabrikam.example' }
export const viewers = { owner, billing, member, newcomer }

const firstNames = `Noah Emilia Liam Hanna Mateo Zoë Lukas Chiara Omar Freya Émile Ines Tomasz Amara Viktor Leïla Santiago Yuki Elif Pavel
  Grace Đặng Ömer Sofia Ravi Nora Kwame Ana Felix Siobhán Dmitri Mei Hugo Fatima Jan Olivia Marek Chloé Sven Isabel Tariq Ingrid Paulo
  Katarzyna Ben Aaliyah Joaquín Saoirse Arjun Linnea Marco Wanjiru Theo Beatriz Kenji Alexandra Oisín`.split(/\s+/)
const lastNames = `Okafor Rossi Berg Durand-Lefèvre Silva Novák Yılmaz Kim O’Brien Castellanos-Fernández Schmidt Nguyen Hansen Kowalski
  Mensah Ivanova Haddad Martin Sørensen Popescu Brown Cohen Ito Fischer Moreau Costa Lindgren Patel Byrne`.split(/\s+/)

const emailOf = (name: string) =>
  `${name
    .normalize('NFD')
    .replace(/[\u0300-\u036F’]/g, '')
    .replaceAll('Đ', 'D')
    .replaceAll('ı', 'i')
    .replaceAll('ø', 'o')
    .toLowerCase()
    .replace(/\s+/g, '.')}@northwind.example`

const restricted: Application[][] = [['deploy'], ['deploy', 'cert', 'flow'], ['domain', 'cert', 'shortener', 'backup', 'socket']]

const others = firstNames.map((firstName, index): Person => {
  const name = `${firstName} ${lastNames[index % lastNames.length]}`
  const role = index % 28 === 0 ? 'owner' : index % 17 === 3 ? 'billing' : 'member'
  return {
    name: index === 40 ? 'Maximiliane Alexandra von Hohenstein-Oettingen' : name,
    email: emailOf(name),
    role,
    products: role === 'member' && index % 3 === 0 ? (restricted[index % 4] ?? null) : null,
    memberFor: 420 - index * 7,
  }
})

/** The 60 members of the team. */
export const people: readonly Person[] = [
  { ...owner, role: 'owner', products: null, memberFor: 430 },
  { ...billing, role: 'billing', products: ['billing'], memberFor: 400 },
  { ...member, role: 'member', products: ['deploy', 'cert', 'flow'], memberFor: 210 },
  ...others,
]

export const secondOwner = people[3]?.email ?? ''
/** Uses an authenticator app, so that the sign-in asks for its code. */
export const secured = people[5]?.email ?? ''
