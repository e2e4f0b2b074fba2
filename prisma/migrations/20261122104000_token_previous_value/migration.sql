-- A rotation keeps the token's row and moves the replaced value into it. It used to add a second token, which stayed valid
-- when the first one was revoked.
ALTER TABLE "access_tokens" ADD COLUMN     "previous_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "previous_hash" BYTEA,
ADD COLUMN     "previous_last_four" TEXT,
ADD COLUMN     "rotation_key" UUID;

-- The audit entry of a rotation names both tokens. Old values of revoked tokens end; those that still work move to the
-- token that replaced them. Other replaced tokens remain as tokens of their own, which expire or can be revoked.
CREATE TEMPORARY TABLE "rotations" ON COMMIT DROP AS
    SELECT o."id" AS "old_id", s."id" AS "new_id", s."revoked_at"
    FROM "access_tokens" o
    JOIN "audit_entries" a ON a."action" = 'rotateToken' AND a."before"->>'id' = o."id"::text
    JOIN "access_tokens" s ON s."id"::text = a."subject" AND s."replaced_at" IS NULL
    WHERE o."replaced_at" IS NOT NULL AND o."revoked_at" IS NULL AND o."expires_at" > now();

UPDATE "access_tokens" o SET "revoked_at" = r."revoked_at" FROM "rotations" r
WHERE o."id" = r."old_id" AND r."revoked_at" IS NOT NULL;

UPDATE "access_tokens" s SET "previous_hash" = o."hash", "previous_last_four" = o."last_four", "previous_expires_at" = o."expires_at"
FROM "rotations" r JOIN "access_tokens" o ON o."id" = r."old_id"
WHERE s."id" = r."new_id" AND r."revoked_at" IS NULL;

UPDATE "invitations" i SET "invited_by_token_id" = r."new_id" FROM "rotations" r
WHERE i."invited_by_token_id" = r."old_id" AND r."revoked_at" IS NULL;

DELETE FROM "access_tokens" o USING "rotations" r WHERE o."id" = r."old_id" AND r."revoked_at" IS NULL;

ALTER TABLE "access_tokens" DROP COLUMN "replaced_at";

CREATE UNIQUE INDEX "access_tokens_previous_hash_key" ON "access_tokens"("previous_hash");
ALTER TABLE "access_tokens"
    ADD CONSTRAINT "access_tokens_previous_hash_length" CHECK (octet_length("previous_hash") = 32);
