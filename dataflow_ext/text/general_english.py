"""General English: words that say nothing of their own about a scene, whatever a plan is about.

No tools, materials, foods, places, people, animals, colours, numbers, and no verbs of the hand. They stand here and
not in a file of their own, so that a change of them changes the code.
"""

from __future__ import annotations

#: Lines that begin with a # tell what follows.
WORDS = """

# function words
a an the this that these those such same other others another each every either neither both all any some none no not
nor and or but yet so as if then than thus hence therefore thereby whereby wherein therein while whilst when whenever
where wherever whereas because since although though even unless until till once before after afterwards beforehand
during within without with by for from of to into onto in on at over under above below beneath between among amongst
across along through throughout around about against toward towards upon off out up down away back near beside besides
behind beyond per via despite except instead rather whether which who whom whose what whatever whichever why how however
i we you he she it they me us him her them my our your his its their mine ours yours theirs myself ourselves yourself
itself himself herself themselves one ones oneself there here
am is are was were be been being do does did done doing have has had having can cannot could may might must shall should
will would ought
anything nothing everything something anyone id ids
not never only just merely simply also too very quite still again already always often sometimes usually ever else
more most less least much many few fewer several enough further furthermore moreover additionally likewise similarly
otherwise meanwhile nevertheless nonetheless accordingly consequently subsequently eventually finally lastly ultimately
first firstly second secondly third thirdly next last later latter former earlier early late now soon immediately
directly currently presently previously initially originally
s t d m re ve ll don doesn didn isn aren wasn weren hasn haven hadn couldn wouldn shouldn mustn won ain needn
b c e f g h

# the words of tasks, plans and their parts
plan planned planning plans planner step steps stepwise goal goals aim purpose intention intended intend intends task
tasks
action actions act acts activity sequence sequences sequential sequentially order ordered ordering orders reorder
reordered
prefix head tail middle stage stages phase phases process procedure operation progress progression
precondition preconditions prerequisite prerequisites condition conditions conditional requirement requirements
effect effects outcome outcomes result results resulting consequence consequences state states status situation
spatial spatially functional functionally function functions affordance affordances relation relations relationship
arrangement placement position positions positioned
cause causes caused causing causal causally causality chain chains link links linked
failure failures fail fails failed failing recovery recover recovers recovered recovering strategy strategies remedy
retry retries retried retrying continue continues continued continuing continuation repair repairs repaired repairing
resolve resolves resolved resolving solution solutions
flaw flaws flawed flawstep flawtype mismatch mismatched mismatches violation violations violate violates violated
violating
missing hallucinated hallucination error errors mistake mistakes mistaken wrong wrongly incorrect incorrectly
object objects tool tools type types property properties entity entities item items thing things part parts
agent reason reasons reasoning reasoned rationale explanation explain explains explained explaining explanatory
evidence observation observations observe observes observed observing visible visibly shown show shows showing seen see
sees image images picture pictures frame frames keyframe keyframes video videos clip clips scene scenes glimpse glimpses
question questions answer answers answering asked ask asks candidate candidates option options choice choices
select selects selected selecting selection choose chooses chosen choosing label labels correct correctly correctness
alternative alternatives alternatively distractor distractors
counterfactual hypothetical hypothetically challenge scenario case cases circumstance circumstances event events
pointing infill repaired corrected correction corrections correcting annotation annotated

# how things follow from each other
follow follows followed following lead leads leading led enable enables enabled enabling allow allows allowed allowing
permit permits permitted permitting ensure ensures ensured ensuring guarantee guarantees guaranteed guaranteeing
support supports supported supporting supportive establish establishes established establishing establishment
satisfy satisfies satisfied satisfying satisfaction fulfil fulfils fulfill fulfills fulfilled fulfilling
require requires required requiring need needs needed needing necessary necessarily necessity necessitate necessitates
depend depends depended depending dependence dependency dependencies dependent rely relies relied relying reliance
prevent prevents prevented preventing prevention avoid avoids avoided avoiding avoidance hinder hinders hindered
block blocks blocked blocking interrupt interrupts interrupted interrupting disrupt disrupts disrupted disrupting
interfere interferes interfered interfering undermine undermines undermined undermining
result yield yields yielded yielding produce produces produced producing create creates created creating
bring brings brought bringing make makes made making let lets give gives gave given giving get gets got getting
take takes took taken taking keep keeps kept keeping hold holds held holding remain remains remained remaining
stay stays stayed staying become becomes became becoming turn turns turned turning
set sets setting put puts putting come comes came coming go goes went gone going
change changes changed changing alter alters altered altering affect affects affected affecting influence influences
influenced influencing impact impacts
begin begins began begun beginning start starts started starting initiate initiates initiated initiating
end ends ended ending finish finishes finished finishing complete completes completed completing completion completely
conclude concludes concluded concluding conclusion conclusions proceed proceeds proceeded proceeding advance advances
advanced advancing
happen happens happened happening occur occurs occurred occurring occurrence arise arises arose arisen arising
appear appears appeared appearing emerge emerges
perform performs performed performing performance execute executes executed executing execution carry carries carried
carrying accomplish accomplishes accomplished accomplishing achieve achieves achieved achieving achievement
attempt attempts attempted attempting try tries tried trying repeat repeats repeated repeating repeatedly repetition
restore restores restored restoring restoration reestablish reestablishes reestablished reestablishing regain regains
regained resume resumes resumed resuming return returns returned returning
correct fix fixes fixed fixing address addresses addressed addressing handle handles handled handling
solve solves solved solving mitigate mitigates mitigated mitigating overcome overcomes overcame
prepare prepares prepared preparing preparation ready readily readiness
provide provides provided providing offer offers offered offering supply supplies
use uses used using useful usable usage apply applies applied applying application
involve involves involved involving include includes included including inclusion exclude excludes excluded excluding
contain contains contained containing concern concerns concerned concerning
match matches matched matching fit fits fitting fitted suit suits suited suitable suitably suitability
align aligns aligned aligning alignment agree agrees agreed agreement coincide coincides correspond corresponds
corresponding correspondingly conform conforms consistent consistently consistency inconsistent inconsistency
contradict contradicts contradicted contradicting contradiction contradictory conflict conflicts conflicting
compatible incompatible coherent coherently coherence
leave leaves left leaving lack lacks lacked lacking absence absent presence present lose loses lost losing loss
reach reaches reached reaching attain attains attained attaining obtain obtains obtained obtaining gain gains gained
maintain maintains maintained maintaining maintenance preserve preserves preserved preserving
secure secures secured securing securely stabilize stabilizes stabilized
replace replaces replaced replacing replacement change exchange substitute substitutes
remove removes removed removing removal add adds added adding addition additional
reduce reduces reduced reducing reduction increase increases increased increasing increasingly
improve improves improved improving improvement worsen worsens
limit limits limited limiting restrict restricts restricted restricting
expect expects expected expecting expectation expectations predict predicts predicted predicting prediction predictions
infer infers inferred inferring inference inferences deduce deduces deduced derive derives derived deriving
imply implies implied implying implication implications indicate indicates indicated indicating indication
suggest suggests suggested suggesting mean means meant meaning
confirm confirms confirmed confirming confirmation verify verifies verified verifying verification
check checks checked checking prove proves proved proven proving proof show demonstrate demonstrates demonstrated
justify justifies justified justifying justification ground grounds grounded
identify identifies identified identifying recognize recognizes recognized recognizing
describe describes described describing description state stated stating mention mentions mentioned mentioning
note notes noted noting say says said saying tell tells told telling call calls called calling name names named naming
consider considers considered considering consideration assume assumes assumed assuming assumption suppose supposed
know knows known knowing understand understands understood understanding think thinks thought thinking believe
decide decides decided deciding decision determine determines determined determining
compare compares compared comparing comparison distinguish distinguishes distinguished differ differs difference
differences different differently differing
rule rules ruled ruling eliminate eliminates eliminated eliminating reject rejects rejected
point points pointed view viewed look looks looked looking find finds found finding
want wants wanted work works worked working serve serves served serving belong belongs
help helps helped helping assist assists contribute contributes contributed contributing contribution
succeed succeeds succeeded succeeding success successful successfully succession successive
precede precedes preceded preceding previous prior subsequent
skip skips skipped skipping omit omits omitted omitting miss misses missed wait waits waiting delay delays delayed
delaying
lie lies sit stand stands rest rests matter matters hinge hinges account accounts turn

# qualities and manners
able unable ability possible possibly possibility impossible likely unlikely likelihood probable probably plausible
plausibly plausibility implausible certain certainly certainty uncertain uncertainty sure surely clear clearly
evident evidently obvious obviously apparent apparently exact exactly precise precisely accurate accurately
proper properly appropriate appropriately inappropriate adequate adequately inadequate sufficient sufficiently
insufficient effective effectively effectiveness efficient efficiently reliable reliably safe safely stable stably
steady steadily unstable careful carefully close closely good well better best bad badly worse worst poor poorly
important importantly importance essential essentially crucial critical critically key main mainly major primary
primarily principal basic basically central significant significantly relevant relevance irrelevant
direct indirect indirectly immediate actual actually real really true truth false falsely fact facts
natural naturally logical logically logic valid validly validity invalid reasonable reasonably sensible sound
general generally particular particularly specific specifically special especially typical typically normal normally
usual unusual common commonly single whole entire entirely full fully partial partially partly total totally
overall final initial original current upcoming future past immediately intermediate remaining eventual
new old own different similar equal equally equivalent identical distinct separate separately
simple easy easily easier difficult difficulty hard harder
possible feasible feasibly achievable executable actionable operational
great greater greatest large larger largest small smaller smallest high higher highest low lower lowest
long longer longest short shorter strong stronger strongly weak weaker slight slightly
quick quickly rapid rapidly slow slowly gradual gradually sudden suddenly
physical physically mechanical mechanically practical practically
mutual mutually respective respectively alone together apart
intact unchanged untouched unaffected unsatisfied unmet unresolved unsuccessful unsuccessfully unfinished incomplete
unnecessary unneeded unsupported unsuitable unexpected unintended undesired desired undone
premature prematurely ahead onward forward

# abstract nouns
way ways manner means method methods approach approaches measure measures basis foundation ground setup set-up
role roles effort efforts attention care control risk risks issue issues problem problems trouble
kind kinds sort sorts form forms degree level levels extent amount amounts number
time times moment moments point beginning start end while instance instances example examples
place places location locations direction directions side course line path
change need use lack lacking benefit benefits advantage context contexts detail details information
connection connections transition transitions shift shifts combination link
opposite contrary contrast pair group set list member members
concept idea sense view perspective word words sentence statement statements
world environment domain setting

# more function words and adverbs of degree
whoever whomever whosoever whatsoever someone somebody everyone everybody nobody somewhere anywhere everywhere nowhere
somehow somewhat anyhow anyway elsewhere notwithstanding albeit lest amid amidst atop regardless thereof thereafter
thereupon herein hereby whereupon whence insofar inasmuch regarding respecting owing due thanks far anew afresh almost
nearly hardly barely scarcely indeed fairly perhaps maybe please yes ok okay

# what happens, causes, is thought, said and decided
imagine imagines build builds profit profits mend mended grant granted
deal deals dealt dealing touch touches touched touching respond responds responded responding response responses react
reacts reacted reacting meet meets met meeting mind minds minded cope copes coped coping tend tends tended tending
seem seems seemed seeming seemingly entail entails entailed entailing incur incurs trigger triggers triggered
triggering induce induces induced inducing generate generates generated generating guide guides guided guiding govern
governs governed dictate dictates dictated force forces forced forcing compel compels forbid forbids forbidden
prohibit prohibits facilitate facilitates facilitated facilitating promote promotes hamper hampers hampered hindering
impede impedes impeded impeding obstruct obstructs disturb disturbs disturbed disturbing jeopardize jeopardizes
jeopardized threaten threatens threatened endanger endangers expose exposes compromise compromises compromised worry
worries worried hope hopes hoped hoping wish wishes wished prefer prefers preferred preferring preference evade escape
escapes escaped resist resists resisted withstand withstands tolerate tolerates endure endures suffer suffers suffered
suffering undergo undergoes underwent undergone encounter encounters encountered encountering facing experience
experiences experienced realize realizes realized realizing notice notices noticed noticing saw seeing perceive
perceives perceived senses sensed detect detects detected detecting recall recalls recalled remember remembers
remembered forget forgets forgot forgotten forgetting learn learns learned learnt guess guesses guessed wonder wonders
doubt doubts doubted asking answered clarify clarifies clarified express expresses illustrate illustrates emphasize
emphasizes highlight highlights reveal reveals revealed revealing signal signals signify signifies represent
represents represented representing reflect reflects reflected reflecting resemble resembles constitute constitutes
comprise comprises consist consists consisted consisting count counts base bases based originate originates lasts
lasted lasting persist persists persisted persisting cease ceases ceased stop stops stopped stopping halt halts halted
pause pauses paused vanish vanishes vanished disappear disappears disappeared develop develops developed developing
evolve evolves evolved progresses progressed damage damages damaged damaging harm harms harmed harming save saves
saved saving spare spares spared cost costs risked redo redoes redid redone redoing undo undoes undid undoing revert
reverts reverted reverse reverses reversed reversing corrects rectify rectifies rectified adjust adjusts adjusted
adjusting adjustment adapt adapts adapted adapting modify modifies modified modifying revise revises revised amend
amends amended compensate compensates compensated compensating offset counteract counteracts anticipate anticipates
anticipated anticipating foresee foresees foresaw foreseen forestall precaution precautions aims aimed aiming strive
strives seek seeks sought seeking pursue pursues pursued chose opt opts opted favor favors favored favour favours
discard discards discarded discarding dismiss dismisses dismissed accept accepts accepted accepting acceptable refuse
refuses refused ignore ignores ignored ignoring neglect neglects neglected overlook overlooks overlooked respect
respects obey obeys comply complies complied adhere adheres adhered deserve deserves merit merits warrant warrants
warranted assure assures assured assuring gotten letting demand demands demanded demanding pass passes passed passing
move moves moved moving arrive arrives arrived arriving approached approaching nears sum sums rank ranks

# qualities, degrees and manners
right rightly worth worthy worthwhile useless usefully pointless futile vain helpful helpfully unhelpful needless
needlessly fortunate fortunately unfortunate unfortunately lucky luckily hopeful hopefully thankfully regrettably
admittedly arguably presumably supposedly allegedly reportedly undoubtedly doubtless doubtful unquestionably
undeniably definitely decidedly truly plainly notably remarkably strikingly surprisingly unsurprisingly curiously
interestingly ideally theoretically virtually fundamentally broadly largely mostly chiefly wholly altogether utterly
thoroughly perfectly absolutely extremely highly deeply considerably substantially noticeably markedly appreciably
negligible negligibly minimally minimal maximal maximum minimum optimum optimal optimally suboptimal moderate
moderately excessive excessively unduly overly abundant abundantly ample amply merest sheer mere utmost foremost
uppermost smooth smoothly calmly cautiously cautious patiently patient neatly deliberately deliberate intentionally
intentional purposely purposeful accidentally accidental inadvertently inadvertent automatically manually voluntarily
inevitably inevitable unavoidable unavoidably invariably constantly constant continually continual continuously
continuous frequently frequent occasionally occasional rarely rare seldom periodically temporarily temporary
permanently permanent forever briefly brief lengthy instantly instant promptly prompt swiftly swift hastily abruptly
abrupt progressively progressive successively concurrently simultaneous simultaneously alternately interim momentarily
momentary shortly lately recently recent newly formerly hitherto henceforth timely untimely belated overdue mistakenly
erroneous erroneously faulty flawless flawlessly fault faults defect defects unreasonable rational irrational credible
convincing convincingly compelling questionable debatable ambiguous unambiguous unambiguously vague vaguely explicit
explicitly implicit implicitly tacit tacitly subtle noteworthy meaningful meaningless decisive decisively conclusive
conclusively definite definitive indispensable vital pivotal instrumental integral inherent inherently intrinsic
intrinsically genuine genuinely serious seriously severe severely grave minor trivial harmless harmful dangerous
dangerously hazardous perilous risky unsafe vulnerable robust robustly favorable favorably favourable unfavorable
beneficial detrimental adverse adversely advantageous disadvantage disadvantages convenient conveniently inconvenient
awkward tricky challenging effortless effortlessly straightforward complicated complex elaborate manageable
unmanageable workable unworkable viable doable attainable unattainable reachable unreachable reversible irreversible
irreversibly recoverable irrecoverable independent independently interdependent interrelated related unrelated
associated attributable subject prone liable apt inclined willing unwilling eager reluctant capable incapable
competent unknown unclear invisible noticeable unnoticed furthest backward backwards forwards afterward halfway midway
onwards alike unlike identically analogous comparable comparably conversely inversely extra leftover free freely
approximate approximately regular regularly irregular irregularly orderly disorderly methodical methodically
systematic systematically everyday ordinary ordinarily extraordinary habitual customary standard conventional

# more abstract nouns
glance thoughts claim claims argument arguments assurance promise hypothesis principle principles criterion criteria
factor factors aspect aspects feature features quality qualities nature essence character category categories
scenarios incident occurrences opportunity opportunities chance chances danger dangers hazard hazards threat threats
setback setbacks obstacle obstacles hindrance aftermath repercussion repercussions significance value values priority
priorities remedies countermeasure countermeasures safeguard safeguards protection necessities constraint constraints
limitation limitations boundary boundaries outset onset duration period periods interval intervals occasion occasions
round rounds trials successes victory headway momentum portion portions share remainder half majority totality route
sake behalf regard terms standpoint viewpoint inside outside surroundings vicinity proximity distance
"""

#: Adjectives whose comparatives and superlatives are general, too.
COMPARED = """
brief clear close early easy fair fast few full grave great hard high large late lengthy likely long low near new odd
old plain poor quick rare ready risky robust safe secure severe short simple slight slow small smooth sound stable
steady strong sure swift tiny tricky true vague vast weak wise worthy young
"""
