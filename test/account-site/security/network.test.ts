import { expect, test } from 'vitest'
import { describeNetwork } from '../../../src/account-site/security/network.ts'

test.each([
  ['203.0.113.7', undefined, 'IP address 203.0.113.7'],
  ['203.0.113.7', '203.0.113.7', 'IP address 203.0.113.7, in the same network as this browser'],
  ['203.0.113.8', '203.0.113.7', 'IP address 203.0.113.8'],
  ['2001:db8:1:2::5', '2001:db8:1:2:a::1', 'IP address 2001:db8:1:2::5, in the same network as this browser'],
  ['192.168.1.5', undefined, 'IP address 192.168.1.5, in a local network'],
  ['fd00::1', undefined, 'IP address fd00::1, in a local network'],
  ['::1', undefined, 'IP address ::1, a local connection'],
  ['', undefined, 'Unknown network'],
  ['unknown', '127.0.0.1', 'Unknown network'],
])('the network of %j is described, seen from %j', (address, present, words) => {
  expect(describeNetwork(address, present)).toBe(words)
})
