# SPDX-License-Identifier: BSD-3-Clause
"""The structs of the module are those of the header, member by member: test_layout.py LAYOUT_PROGRAM"""
import ctypes
import subprocess
import sys
import unittest

from ukode import analysis, operators, searches, structures

TWINS = {
    "ukReport": structures.ReportStruct,
    "ukLedger": structures.LedgerStruct,
    "ukJointDiagnosis": structures.JointDiagnosisStruct,
    "ukDiagnosis": structures.DiagnosisStruct,
    "ukMobility": structures.MobilityStruct,
    "ukAuditFinding": structures.AuditFindingStruct,
    "ukAudit": structures.AuditStruct,
    "ukEquations": structures.EquationsStruct,
    "ukBodyState": structures.BodyStateStruct,
    "ukConstraintContext": structures.ContextStruct,
    "ukNonIdealContext": structures.LawContextStruct,
    "ukSignal": analysis.SignalStruct,
    "ukLinearization": analysis.LinearizationStruct,
    "ukMode": analysis.ModeStruct,
    "ukRegulator": analysis.RegulatorStruct,
    "ukLinearOperatorInfo": operators.LinearOperatorStruct,
    "ukRecordOptions": structures.RecordOptionsStruct,
    "ukTarget": searches.TargetStruct,
    "ukContradiction": searches.ContradictionStruct,
    "ukAssembly": searches.AssemblyStruct,
    "ukCarried": searches.CarriedStruct,
    "ukEquilibrium": searches.EquilibriumStruct,
    "ukInverse": searches.InverseStruct,
}
PROGRAM = sys.argv.pop(1)


class Layout(unittest.TestCase):
    def test_members(self):
        lines = subprocess.run([PROGRAM], check=True, capture_output=True, text=True).stdout.splitlines()
        self.assertGreater(len(lines), 20)
        for line in lines:
            kind, member, offset = line.rsplit(" ", 2)
            twin = TWINS[kind]
            here = ctypes.sizeof(twin) if member == "sizeof" else getattr(twin, "lam" if member == "lambda" else member).offset
            self.assertEqual(here, int(offset), line)


if __name__ == "__main__":
    unittest.main()
