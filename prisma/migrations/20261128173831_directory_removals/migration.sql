-- CreateTable
CREATE TABLE "directory_removals" (
    "team_id" UUID NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "directory_removals_pkey" PRIMARY KEY ("team_id","key_hash")
);

-- CreateIndex
CREATE INDEX "directory_removals_team_id_user_id_idx" ON "directory_removals"("team_id", "user_id");

-- AddForeignKey
ALTER TABLE "directory_removals" ADD CONSTRAINT "directory_removals_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Those whom directories have deactivated already, by the same digests as schema/members/directory/removed-people.ts.
INSERT INTO "directory_removals" ("team_id", "user_id", "key_hash")
SELECT s."team_id", s."user_id", sha256(convert_to(k."text", 'UTF8'))
FROM "scim_users" s JOIN "users" u ON u."id" = s."user_id" CROSS JOIN LATERAL (
    SELECT 'address' || E'\n' || lower(btrim(a."address")) AS "text" FROM (
        SELECT u."email" AS "address"
        UNION ALL SELECT s."user_name"
        UNION ALL SELECT e->>'value' FROM jsonb_array_elements(
            CASE WHEN jsonb_typeof(s."attributes"->'emails') = 'array' THEN s."attributes"->'emails' ELSE '[]' END) e
    ) a WHERE a."address" LIKE '%@%'
    UNION ALL SELECT 'identity' || E'\n' || p."issuer" || E'\n' || i."subject"
    FROM "external_identities" i JOIN "identity_providers" p ON p."id" = i."provider_id"
    WHERE p."team_id" = s."team_id" AND i."user_id" = s."user_id"
    UNION ALL SELECT 'record' || E'\n' || s."user_id" || E'\n' || s."external_id" WHERE s."external_id" IS NOT NULL
) k
WHERE NOT EXISTS (SELECT FROM "members" m WHERE m."team_id" = s."team_id" AND m."user_id" = s."user_id")
ON CONFLICT DO NOTHING;
