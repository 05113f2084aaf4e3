// Validates glTF files with Khronos' validator: a line each with the numbers of errors, warnings and
// triangles.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
const require = createRequire(process.cwd() + '/');
const validator = require('gltf-validator');
for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { uri: file });
    const { numErrors, numWarnings, messages } = report.issues;
    console.log(`VALID ${numErrors} ${numWarnings} ${report.info.totalTriangleCount}`);
    for (const message of messages.slice(0, 5)) console.log(JSON.stringify(message));
}
